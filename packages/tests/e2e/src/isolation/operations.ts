/** The parts of an endpoint in the document that tests use. */
export interface Operation {
  /** `GET` */
  method: string;
  /** The path, such as `/api/v1/alerts/{id}`. */
  path: string;
  operationId: string;
  /** The noun before each id in the path, such as `alerts`. */
  nouns: string[];
  /** Query parameters that name an object, with the noun of the object, or `host`. */
  filters: { name: string; of: string }[];
  /** True if the request's body may contain ids of objects. */
  hasIds: boolean;
  /** An example of the body, if the document has one. */
  example: unknown;
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  pattern?: string;
  [keyword: string]: unknown;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: {
    content: Record<
      string,
      { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
    >;
  };
}

interface OpenApi {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

const API = '/api/v1/';

/** For each query parameter that names an object, the noun of the object. */
const FILTERS: Readonly<Record<string, string>> = {
  service_id: 'services',
  rule_id: 'rules',
  alert_id: 'alerts',
  key_id: 'keys',
  channel_id: 'channels',
  object_id: 'rules',
  host: 'host',
  q: 'host',
};

/** Matches the names of body fields that contain ids of objects. */
const NAMES_OBJECTS = /^(channels|(?!external_).*_ids?)$/;

/** Reads every endpoint from the document that the product serves. Throws if the suite does not know a filter by id. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(API))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(document, path, method, operation)),
    );
}

function operationOf(
  document: OpenApi,
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: DocumentedOperation,
): Operation {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const unknown = query.filter((name) => /_ids?$/.test(name) && !Object.hasOwn(FILTERS, name));
  if (unknown.length > 0)
    throw new Error(`${method} ${path}: nothing is known here to fill ${unknown.join(', ')}`);
  const json = requestBody?.content['application/json'];
  return {
    method: method.toUpperCase(),
    path,
    operationId,
    nouns: [...path.matchAll(/([^/]+)\/\{\w+\}/g)].map(([, noun]) => noun as string),
    filters: query
      .filter((name) => Object.hasOwn(FILTERS, name))
      .map((name) => ({ name, of: FILTERS[name] as string })),
    hasIds: json?.schema !== undefined && namesObjects(document, json.schema, new Set()),
    example: json?.example ?? Object.values(json?.examples ?? {})[0]?.value,
  };
}

/**
 * Returns true if the schema contains, at any depth, a member that holds an object's id, by its name or by its text
 * format.
 */
function namesObjects(document: OpenApi, schema: Schema, seen: Set<unknown>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) as string];
    return named !== undefined && namesObjects(document, named, seen);
  }
  if (typeof schema.pattern === 'string' && /^\^[a-z]{3}_/.test(schema.pattern)) return true;
  if (Object.keys(schema.properties ?? {}).some((name) => NAMES_OBJECTS.test(name))) return true;
  return Object.values(schema).some(
    (inner) => isSchemas(inner) && namesObjects(document, inner as Schema, seen),
  );
}

function isSchemas(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const RULE = { name: 'stolen', metric: 'm', condition: 'greater_than', threshold: 1 };

/** Bodies that contain ids of another organization's objects, by operation. */
const FOREIGN_BODIES: Readonly<Record<string, (ids: ReadonlyMap<string, string>, host: string) => unknown>> =
  {
    createRule: (ids) => ({ ...RULE, channels: [ids.get('channels')] }),
    applyRules: (ids) => ({
      rules: [{ ...RULE, external_id: ids.get('rules'), channels: [ids.get('channels')] }],
    }),
    previewRule: (ids) => ({ rule: { ...RULE, channels: [ids.get('channels')] } }),
    requestInvestigation: (ids) => ({ service_id: ids.get('services') }),
    previewSilence: (ids) => ({ matchers: { rule_ids: [ids.get('rules')] } }),
    createSilence: (ids) => ({
      matchers: { rule_ids: [ids.get('rules')] },
      from: '2026-01-01T00:00:00Z',
      until: '2099-01-01T00:00:00Z',
    }),
  };

/**
 * The body to send to an endpoint: one with ids of another organization if it may contain ids, otherwise the document's
 * example or an empty object. Throws if the suite does not know how to fill it.
 */
export function bodyOf(operation: Operation, ids: ReadonlyMap<string, string>, host: string): unknown {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined;
  const foreign = FOREIGN_BODIES[operation.operationId];
  if (foreign !== undefined) return foreign(ids, host);
  // Under a path with an id the body does not matter, because the object is not found.
  if (operation.hasIds && operation.nouns.length === 0)
    throw new Error(`${operation.operationId}: nothing is known here to fill its body with`);
  return operation.example ?? {};
}
