/** The part of JSON Schema that examples are made by. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  format?: string;
  minimum?: number;
}

export type Resolve = (pointer: string) => JsonSchema;

/** The moment at which examples take place. */
export const EXAMPLE_TIME = '2026-11-21T14:36:28.000Z';

/**
 * An example of a schema: its own where it has one, else made of those of its parts, with every member. A nullable
 * member is null unless it has an example. `resolve` follows a reference.
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve): unknown {
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0];
  if (schema.$ref !== undefined) return exampleOf(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined)
    return forms.some(({ type }) => type === 'null') ? null : exampleOf(forms[0] ?? {}, resolve);
  return exampleOfType(schema, resolve);
}

function exampleOfType(schema: JsonSchema, resolve: Resolve): unknown {
  const types = [schema.type].flat();
  if (types.includes('null')) return null;
  switch (types[0]) {
    case 'string':
      return schema.format === 'date-time' ? EXAMPLE_TIME : 'text';
    case 'integer':
    case 'number':
      return Math.max(0, schema.minimum ?? 0);
    case 'boolean':
      return false;
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, resolve)];
    default: {
      const members = Object.entries(schema.properties ?? {});
      return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, resolve)]));
    }
  }
}
