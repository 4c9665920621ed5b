import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { eventSchema } from '../events/event.ts';
import { WEBHOOKS } from '../events/webhook.ts';
import { problemSchema } from '../problems/problem.ts';
import { PROBLEMS, type ProblemCode } from '../problems/problem-codes.ts';
import { problemExample } from '../problems/problem-help.ts';
import { addExamples, type Document } from './add-examples.ts';
import {
  type Answer,
  type Content,
  isChange,
  NOT_MODIFIED,
  PROBLEMS_OF_ALL,
  PROBLEMS_OF_CHANGES,
  PROBLEMS_OF_KEYS,
  PROBLEMS_OF_PRIVILEGED,
  PROBLEMS_OF_SESSIONS,
  type Route,
  rateLimitHeaders,
} from './route.ts';
import { API_ROUTES, ROUTES } from './routes.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

const VERSION = '1.0.0';

/** The tags of the API document in their order; the document omits tags that no route has. */
const TAGS = [
  { name: 'Ingest', description: 'Agents send what hosts report.' },
  { name: 'Other agents', description: 'Agents of other projects send by their own protocols.' },
  { name: 'Services', description: 'Hosts that reported: their health, latest values and history.' },
  { name: 'Parts', description: 'Filesystems, disks, units and other parts of hosts, over many hosts.' },
  { name: 'Metrics', description: 'What hosts report, and one metric over many of them.' },
  { name: 'Alert rules', description: 'Rules that are evaluated on every sample.' },
  { name: 'Alerts', description: 'What fired.' },
  { name: 'Investigations', description: 'Why it fired: the cause, with evidence.' },
  { name: 'Markers', description: 'What people and their tools did, so that investigations know of it.' },
  { name: 'Silences', description: 'What is muted, and when.' },
  { name: 'Channels', description: 'Destinations of notifications.' },
  { name: 'Notifications', description: 'What channels were notified of, or why not.' },
  { name: 'Events', description: 'What happens, as it happens.' },
  { name: 'Keys', description: 'Who may do what.' },
  { name: 'Sessions', description: 'Browsers that are signed in to the console.' },
  { name: 'Organizations', description: 'Who shares an installation without seeing one another.' },
  { name: 'Audit', description: 'Who changed what.' },
  {
    name: 'Operations',
    description: 'Health of the product itself, and its documentation. No key is needed.',
  },
];

const DESCRIPTION = [
  'Host monitoring for fleets: samples in, alerts within a second, every question answered from rollups.',
  'The key goes into `X-API-Key`, or into `Authorization: Bearer`. The first start of an installation prints one that ' +
    'has every scope, and keeps it in the file `admin-key` of its data directory. Each endpoint says which scope a key ' +
    'needs: `ingest` is for agents; `write` includes `read`, but not `ingest`; `admin` is everything of the organization, ' +
    '`ingest` included; `operator` opens the organizations of the installation and nothing of what is theirs.',
  'To begin with: send a payload to `POST /api/v1/ingest`, see its host in `GET /api/v1/services`, make a rule by ' +
    '`POST /api/v1/alerts/rules`, send a payload that breaches it, and see it in `GET /api/v1/alerts`. To be notified of it, follow ' +
    '`GET /api/v1/events`, or make a channel by `POST /api/v1/channels`.',
  'Times are RFC 3339 in UTC with milliseconds. Errors are problem documents (RFC 9457) whose `code` comes from a ' +
    '[closed list](/problems) and whose `errors` name all faults of a request at once. Lists page by `limit` with ' +
    '`offset` or `cursor`. Within `/api/v1` changes only add; clients ignore fields that they do not know. ' +
    'Unknown parameters and fields that a body should not have are refused; unknown fields of payloads are ignored. Bodies may ' +
    'be compressed with gzip, br, zstd or deflate, as `Content-Encoding` says.',
].join('\n\n');

const requestIdHeader = z.string().meta({
  description: 'Names the request in the log.',
  header: { id: 'X-Request-Id' },
  examples: ['0197f3a1-c0de-7b3c-9a51-d2e4f6a80b1c'],
});

const retryAfterHeader = z
  .string()
  .meta({ description: 'Seconds to wait.', examples: ['5'], header: { id: 'Retry-After' } });

/** The response 304, a component to which all reads with a key refer. */
const notModified: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: NOT_MODIFIED.description,
  headers: z.object({
    'X-Request-Id': requestIdHeader,
    ...rateLimitHeaders.shape,
    ...NOT_MODIFIED.headers?.shape,
  }),
};

/** Builds the OpenAPI 3.1 document of all endpoints from the routes and their schemas. */
export function buildDocument(routes: readonly Route[] = ROUTES): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Tidewatch',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'Where this document came from.' }],
      tags: TAGS.filter(({ name }) => routes.some(({ tag }) => tag === name)),
      security: [{ apiKey: [] }, { bearer: [] }],
      paths,
      webhooks: WEBHOOKS,
      components: {
        schemas: { Event: eventSchema },
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Responses may get further fields within a version, so their schemas must not exclude any.
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
      allowEmptySchema: { custom: true },
    },
  );
  addExamples(document as Document);
  return document;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const codes = new Set<ProblemCode>([
    ...PROBLEMS_OF_ALL,
    ...(route.scope === null ? [] : PROBLEMS_OF_KEYS),
    ...(route.scope !== null && API_ROUTES.includes(route) ? PROBLEMS_OF_SESSIONS : []),
    ...(route.scope === 'admin' || route.scope === 'operator' ? PROBLEMS_OF_PRIVILEGED : []),
    ...(isChange(route) ? PROBLEMS_OF_CHANGES : []),
    ...route.problems,
  ]);
  const problems = [...codes];
  const description = [route.description, scopeSentence(route)];
  const text = description.filter((each) => each !== undefined).join('\n\n');
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(text === '' ? {} : { description: text }),
    ...(route.scope === null ? { security: [] } : {}),
    requestParams: {
      ...(route.parameters ? { path: route.parameters } : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.headers ? { header: route.headers } : {}),
    },
    ...(route.body
      ? { requestBody: { required: route.bodyIsOptional !== true, content: content(route.body) } }
      : {}),
    responses: { ...problemResponses(problems), ...answers(route, problems) },
  };
}

function scopeSentence({ scope }: Route): string | undefined {
  if (scope === null) return undefined;
  return scope === 'any' ? 'Scope: any.' : `Scope: \`${scope}\`.`;
}

function answers(
  route: Route,
  problems: readonly ProblemCode[],
): Record<`${1 | 2 | 3 | 4 | 5}${string}`, ZodOpenApiResponseObject> {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const answer of route.answers) {
    if (answer === NOT_MODIFIED) {
      responses[`${answer.status}`] = notModified;
      continue;
    }
    const shared = problems.filter((code) => PROBLEMS[code].status === answer.status);
    // A request that is refused may not have been counted.
    const ofKeys = route.scope === null || answer.status >= 400 ? {} : rateLimitHeaders.shape;
    responses[`${answer.status}`] = {
      description: answer.description,
      headers: z.object({ 'X-Request-Id': requestIdHeader, ...ofKeys, ...headersOf(answer).shape }),
      content: {
        ...(answer.content ? content([answer.content].flat().map((each) => selectable(each, route))) : {}),
        ...(shared.length > 0 ? problemContent(shared) : {}),
      },
    };
    if (!answer.content) delete responses[`${answer.status}`]?.content;
    if (answer.links) Object.assign(responses[`${answer.status}`] ?? {}, { links: linksOf(answer.links) });
  }
  return responses;
}

function linksOf(links: Readonly<Record<string, string>>): ZodOpenApiResponseObject['links'] {
  const entries = Object.entries(links).map(([operationId, pointer]) => [
    operationId,
    { operationId, parameters: { id: `$response.body#${pointer}` } },
  ]);
  return Object.fromEntries(entries);
}

/** The headers of a response. Exports have none of the usual ones, because they are sent before their end is known. */
function headersOf({ headers = z.object({}), content = [] }: Answer): z.ZodObject {
  return [content].flat().length > 1 ? headers.partial() : headers;
}

/** Adds the shape of a response that the `fields` parameter restricts to the schema of the full response. */
function selectable(answer: Content, { query }: Route): Content {
  const { schema } = answer;
  if (schema === null || answer.type !== 'application/json' || query?.shape.fields === undefined)
    return answer;
  return { ...answer, schema: z.union([schema, selectionOf(schema)]) };
}

function selectionOf(schema: z.ZodType): z.ZodType {
  const whole = schema instanceof z.ZodUnion ? (schema.options[0] as z.ZodType) : schema;
  const { pagination, ...nouns } = whole instanceof z.ZodObject ? whole.shape : {};
  const selected = z.record(z.string(), z.unknown());
  const lists = Object.keys(nouns).map((noun) => [noun, z.array(selected)]);
  const selection = pagination ? z.object({ ...Object.fromEntries(lists), pagination }) : selected;
  return selection.meta({
    description: 'With `fields`: the same with those fields alone.',
    'x-selection': true,
  });
}

function content(list: readonly Content[]): NonNullable<ZodOpenApiResponseObject['content']> {
  const entries = list.map(({ type, schema, examples }) => [
    type,
    { schema: schema ?? { type: 'string' as const }, ...(examples ? { examples } : {}) },
  ]);
  return Object.fromEntries(entries);
}

/** The OpenAPI responses of an endpoint for its problem codes, one for each HTTP status. */
function problemResponses(
  codes: readonly ProblemCode[],
): Record<`${1 | 2 | 3 | 4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = Object.groupBy(codes, (code) => PROBLEMS[code].status);
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const [status, group = []] of Object.entries(byStatus))
    responses[status] = problemResponse(status, group);
  return responses;
}

// Components of responses by their codes, so that equal groups of codes share one.
const shared = new Map<string, ZodOpenApiResponseObject>();

function problemResponse(status: string, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const id = `${status}_${codes.join('_')}`;
  const known = shared.get(id);
  if (known) return known;
  const waits = codes.some((code) => PROBLEMS[code].status === 429 || PROBLEMS[code].status === 503);
  const response = {
    id,
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    headers: z.object({ 'X-Request-Id': requestIdHeader, ...problemHeaders(codes, waits) }),
    content: problemContent(codes),
  };
  shared.set(id, response);
  return response;
}

function problemHeaders(codes: readonly ProblemCode[], waits: boolean): Record<string, z.ZodType> {
  return {
    ...(waits ? { 'Retry-After': retryAfterHeader } : {}),
    ...(codes.includes('rate_limited') ? rateLimitHeaders.partial().shape : {}),
  };
}

function problemContent(codes: readonly ProblemCode[]): NonNullable<ZodOpenApiResponseObject['content']> {
  const examples = codes.map((code) => [
    code,
    { summary: PROBLEMS[code].title, value: problemExample(code) },
  ]);
  return { 'application/problem+json': { schema: problemSchema, examples: Object.fromEntries(examples) } };
}
