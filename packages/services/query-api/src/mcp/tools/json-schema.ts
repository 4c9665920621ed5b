export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue };

/** A JSON Schema, as far as arguments of tools need it. */
export type JsonSchema = { [keyword: string]: JsonValue };

/** The API document, as far as arguments of tools are made from it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

/** Keywords that cost a model more than they say: the API checks them, and its errors name them. */
const LEFT_OUT = new Set([
  'allOf',
  'examples',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'oneOf',
  'pattern',
  'propertyNames',
]);

/** A schema of the document without references and without keywords that a model does not need. */
export function shortSchema(document: ApiDocument, schema: unknown): JsonSchema {
  return shorten(document, schema) as JsonSchema;
}

/** Follows a reference of the document, such as `#/components/schemas/RuleInput`. */
export function resolved(document: ApiDocument, value: unknown): JsonSchema {
  const { $ref, ...others } = value as { $ref?: string };
  if ($ref === undefined) return others;
  const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec($ref) ?? [];
  const target = document.components[String(kind)]?.[String(name)];
  if (target === undefined) throw new Error(`the API document has no ${$ref}`);
  return { ...resolved(document, target), ...others };
}

function shorten(document: ApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => shorten(document, each));
  if (typeof value !== 'object' || value === null) return value;
  const { properties, ...keywords } = resolved(document, value);
  const short = Object.entries(keywords)
    .filter(([keyword]) => !LEFT_OUT.has(keyword))
    .map(([keyword, each]) => [keyword, shorten(document, each)]);
  if (properties === undefined) return Object.fromEntries(short);
  const members = Object.entries(properties as object).map(([name, each]) => [name, shorten(document, each)]);
  return { ...Object.fromEntries(short), properties: Object.fromEntries(members) };
}
