/** The parts of an endpoint in the document that tests use. */
export interface Operation {
  /** `GET` */
  method: string;
  /** `/api/v1/alerts/{id}` */
  path: string;
  operationId: string;
  /** The noun before each id in the path, such as `alerts`. */
  nouns: string[];
  /** Parameters of the query that name an object, and the noun of it, or `host`. */
  filters: { name: string; of: string }[];
  /** True if the request's body may contain ids of objects. */
  hasIds: boolean;
  /** An example of the body, where the document has one. */
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

/** Nouns of the objects that filters name. */
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

/** Names of members of bodies that name objects. */
const NAMES_OBJECTS = /^(channels|(?!external_).*_ids?)$/;

/** Every endpoint of the API in the document that the product serves. Throws where a filter by id is not known here. */
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

/** Bodies that name objects of another organization, by operation. */
const FOREIGN_BODIES: Readonly<Record<string, (ids: ReadonlyMap<string, string>, host: string) => unknown>> =
  {
    createRule: (ids) => ({ ...RULE, channels: [ids.get('channels')] }),
    applyRules: (ids) => ({
      rules: [{ ...RULE, external_id: ids.get('rules'), channels: [ids.get('channels')] }],
    }),
    previewRule: (ids) => ({ rule: { ...RULE, channels: [ids.get('channels')] } }),
    requestInvestigation: (ids) => ({ service_id: ids.get('services') }),
    createSilence: (ids) => ({
      matchers: { rule_ids: [ids.get('rules')] },
      from: '2026-01-01T00:00:00Z',
      until: '2099-01-01T00:00:00Z',
    }),
  };

/**
 * What is sent to an endpoint: where its body may name objects, those of somebody else; else the document's example, or an
 * empty object. Throws where a body may name objects and nothing is known here to fill it with.
 */
export function bodyOf(operation: Operation, ids: ReadonlyMap<string, string>, host: string): unknown {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined;
  const foreign = FOREIGN_BODIES[operation.operationId];
  if (foreign !== undefined) return foreign(ids, host);
  // Under a path with an id nothing of the body counts: the object is not there.
  if (operation.hasIds && operation.nouns.length === 0)
    throw new Error(`${operation.operationId}: nothing is known here to fill its body with`);
  return operation.example ?? {};
}
