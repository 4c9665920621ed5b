/** The part of JSON Schema from which examples are generated. */
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

/** The time in examples. */
export const EXAMPLE_TIME = '2026-11-21T14:36:28.000Z';

/**
 * The example of a schema: its own if it has one, otherwise a generated one that has every member. A nullable
 * member without an example is null. `resolve` follows references.
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
