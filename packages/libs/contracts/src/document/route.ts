import { z } from 'zod';
import type { ProblemCode } from '../problems/problem-codes.ts';
import { fieldsQuery } from '../queries/fields.ts';
import type { RequiredScope } from '../values/access.ts';
import { type IdPrefix, isId } from '../values/id.ts';

/** One media type of a request or response. `schema` is null for a text that the document does not describe further. */
export interface Content<S extends z.ZodType | null = z.ZodType | null> {
  type: string;
  schema: S;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface Answer {
  status: number;
  description: string;
  /** The content of the response; several if the request chooses the media type. */
  content?: Content | readonly Content[];
  headers?: z.ZodObject;
  /** Links to operations by name, each with the JSON Pointer of the id in the response that the operation takes. */
  links?: Readonly<Record<string, string>>;
}

/**
 * One endpoint of the API. `path` has parameters in braces; `scope` is null if no API key is needed, `any` if every valid
 * key will do.
 */
export interface Route {
  operationId: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  scope: RequiredScope | null;
  parameters?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: readonly Content[];
  /** Whether a request may omit its body. */
  bodyIsOptional?: boolean;
  answers: readonly Answer[];
  /** The problems of this endpoint, without those that all endpoints have. */
  problems: readonly ProblemCode[];
}

/**
 * Defines the routes of a chapter of the document, its tag, and keeps the types of their parameters, from which handlers
 * derive theirs.
 */
export function defineRoutes<const R extends readonly Omit<Route, 'tag'>[]>(
  tag: string,
  routes: R,
): { readonly [K in keyof R]: R[K] & { tag: string } } {
  return routes.map((route) => ({ ...route, tag })) as never;
}

/** Links from a response to the operations that take the `id` of the response as their parameter. */
export function linksById(...operationIds: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(operationIds.map((operationId) => [operationId, '/id']));
}

/** The problems of every endpoint. */
export const PROBLEMS_OF_ALL: readonly ProblemCode[] = [
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'bad_gateway',
  'shutting_down',
];

/** The problems of every endpoint that needs a key. */
export const PROBLEMS_OF_KEYS: readonly ProblemCode[] = [
  'key_missing',
  'key_invalid',
  'key_expired',
  'key_revoked',
  'too_many_refusals',
  'scope_missing',
  'validation_failed',
  'rate_limited',
  'organization_busy',
  'database_unavailable',
  'overloaded',
];

/** The problems of every endpoint that takes the session of a browser in place of a key. */
export const PROBLEMS_OF_SESSIONS: readonly ProblemCode[] = ['session_ended', 'cross_site'];

/** The problems of every endpoint whose scope a session may use only while it is confirmed. */
export const PROBLEMS_OF_PRIVILEGED: readonly ProblemCode[] = ['confirmation_needed'];

/** The problems of every endpoint that changes something. */
export const PROBLEMS_OF_CHANGES: readonly ProblemCode[] = ['limit_reached'];

/** Whether an endpoint changes stored data. */
export function isChange({ method, scope }: Route): boolean {
  return method !== 'get' && (scope === 'write' || scope === 'admin' || scope === 'operator');
}

/** The problems of every endpoint with a JSON body. */
export const PROBLEMS_OF_BODIES: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'validation_failed',
];

/**
 * The parameter for an id in a path. A malformed id gets 404 like an unknown one, so its form is not part of the contract.
 */
export function idParameter(prefix: IdPrefix, of: string) {
  const id = z
    .string()
    .refine((text) => isId(prefix, text))
    .meta({ description: `Id of the ${of}.`, examples: [`${prefix}_0197f3a1c0de7b3c9a51d2e4f6a80b1c`] });
  return z.object({ id });
}

const etag = z.string().meta({
  description:
    'A digest of the answer, after the version of an object that has one. A compressed answer has it as a weak one (`W/`), which conditions take as well.',
  examples: ['"1-q83vEjRWeJCrze8S"'],
  header: { id: 'ETag' },
});

export const etagHeaders = z.object({ ETag: etag });

export const createdHeaders = z.object({
  ETag: etag,
  Location: z.string().meta({
    description: 'Path of the new object.',
    examples: ['/api/v1/alerts/rules/rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
  }),
});

/** The Location header of a response that creates an object without an ETag. */
export function locationHeader(example: string) {
  const Location = z.string().meta({ description: 'Path of the new object.', examples: [example] });
  return z.object({ Location });
}

export const ifNoneMatchHeader = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description: 'Answer 304 where this is still the ETag.',
      examples: ['"1-q83vEjRWeJCrze8S"'],
      param: { id: 'If-None-Match' },
    }),
});

/** The response to a conditional read of an object that has not changed. */
export const NOT_MODIFIED: Answer = {
  status: 304,
  description: 'The answer is still as If-None-Match names it.',
  headers: etagHeaders,
};

/** The query of a single object of this shape, with `fields` only. */
export function fieldsOnly(shape: z.ZodRawShape) {
  return z.object({ fields: fieldsQuery(shape) });
}

export const ifMatchHeader = z.object({
  'If-Match': z
    .string()
    .optional()
    .meta({
      description: 'Change the object only while this is its version: an ETag, or the version in quotes.',
      examples: ['"1"'],
      param: { id: 'If-Match' },
    }),
});

/** The headers of the rate limit (draft 8 of the IETF's RateLimit header fields). */
export const rateLimitHeaders = z.object({
  RateLimit: z.string().meta({
    description:
      'What is left of the limit of requests, and in how many seconds it starts again: "ingest" counts requests of ingest, "api" all others with a key.',
    examples: ['"ingest"; r=59999; t=60'],
    header: { id: 'RateLimit' },
  }),
  'RateLimit-Policy': z.string().meta({
    description: 'Requests of a key, and the seconds in which it may send them.',
    examples: ['"ingest"; q=60000; w=60; pk=:NTk3OTg1OTdmNGI1:'],
    header: { id: 'RateLimit-Policy' },
  }),
});
