import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  example?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

const DEEPEST = 6;
const MAX_ENTRIES = 3;

/** Values that a schema of the document allows; what it says only in words may be broken. */
export function fromSchema(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  depth = 0,
): Arbitrary<unknown> {
  const inner = (each: JsonSchema) => fromSchema(each, resolve, depth + 1);
  if (schema.$ref !== undefined) return fromSchema(resolve(schema.$ref), resolve, depth);
  const examples = [...(schema.examples ?? []), ...(schema.example === undefined ? [] : [schema.example])];
  const made = madeFrom(schema, inner, depth);
  if (examples.length === 0) return made;
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: made });
}

function madeFrom(
  schema: JsonSchema,
  inner: (each: JsonSchema) => Arbitrary<unknown>,
  depth: number,
): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(inner));
  if (schema.allOf !== undefined)
    return fc
      .tuple(...schema.allOf.map(inner))
      .map((parts) => Object.assign({}, ...parts.map((part) => (typeof part === 'object' ? part : {}))));
  const [type] = [schema.type ?? (schema.properties ? 'object' : undefined)].flat();
  switch (type) {
    case 'object':
      return objectOf(schema, inner, depth);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? MAX_ENTRIES, MAX_ENTRIES)),
      });
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number':
      return fc.oneof(fc.integer(boundsOf(schema)), fc.double({ ...boundsOf(schema), noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return depth > DEEPEST ? fc.constant(null) : fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  }
}

function boundsOf(schema: JsonSchema): { min: number; max: number } {
  const min =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1_000 : schema.exclusiveMinimum + 1);
  const max = schema.maximum ?? (schema.exclusiveMaximum === undefined ? 1_000 : schema.exclusiveMaximum - 1);
  return { min: Math.max(min, -1e9), max: Math.max(min, Math.min(max, 1e9)) };
}

function objectOf(
  schema: JsonSchema,
  inner: (each: JsonSchema) => Arbitrary<unknown>,
  depth: number,
): Arbitrary<unknown> {
  const properties = schema.properties ?? {};
  const required = schema.required ?? [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const further =
    typeof schema.additionalProperties === 'object' && depth < DEEPEST
      ? fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), inner(schema.additionalProperties), {
          maxKeys: MAX_ENTRIES,
        })
      : fc.constant({});
  return fc
    .tuple(further, fc.subarray(optional, { maxLength: depth > DEEPEST ? 0 : Math.min(2, optional.length) }))
    .chain(([more, chosen]) =>
      fc
        .record(
          Object.fromEntries(
            [...required, ...chosen].map((name) => [name, inner(properties[name] ?? {})]),
          ) as Record<string, Arbitrary<unknown>>,
        )
        .map((known) => ({ ...more, ...known })),
    );
}

function stringOf(schema: JsonSchema): Arbitrary<string> {
  const bounds = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 24, 300) };
  switch (schema.format) {
    case 'date-time':
      return fc
        .integer({ min: -7 * 86_400, max: 86_400 })
        .map((at) => new Date(Date.now() + at * 1_000).toISOString());
    case 'uri':
    case 'url':
      return fc.constantFrom('https://example.com/a', 'https://example.com/b?c=d');
    case 'email':
      return fc.constant('somebody@example.com');
  }
  if (schema.pattern !== undefined && !/\(\?[!=<]/.test(schema.pattern))
    return fc.stringMatching(new RegExp(schema.pattern), { maxLength: 60 });
  return fc.oneof(fc.string(bounds), fc.string({ unit: 'binary', ...bounds }));
}
