import type { components } from './generated/api.ts';

export type Problem = components['schemas']['Problem'];
export type Fault = components['schemas']['Fault'];

/** The server answered a request with a status other than success. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** The code of the problem, from the server's fixed list; null if another program answered, such as a proxy. */
  readonly code: string | null;
  readonly detail: string;
  /** The faults of the request, each with a JSON Pointer; empty where the request itself is sound. */
  readonly errors: readonly Fault[];
  /** The id of the request in the server's log; null where the response has none. */
  readonly requestId: string | null;
  /** The time to wait before a retry, ms; null if the response does not say. */
  readonly retryAfterMs: number | null;

  constructor(fields: {
    status: number;
    code: string | null;
    detail: string;
    errors: readonly Fault[];
    requestId: string | null;
    retryAfterMs: number | null;
  }) {
    super(`${fields.status} ${fields.code === null ? '' : `${fields.code}: `}${fields.detail}`);
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.errors = fields.errors;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/**
 * No response arrived: there was no connection, it was lost, or the request timed out. The request may have been carried
 * out.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly reason: 'timeout' | 'connection';

  constructor(reason: 'timeout' | 'connection', message: string, cause: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Describes the network error, never with the query of the address. */
export function unreachable(error: unknown, url: string): UnreachableError {
  const { origin } = new URL(url);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new UnreachableError('timeout', `timeout: ${origin} did not respond`, error);
  const cause = error instanceof Error ? ((error.cause ?? error) as { code?: string; message?: string }) : {};
  const why = cause.code ?? cause.message ?? 'unknown fault';
  return new UnreachableError('connection', `${origin} cannot be reached: ${why}`, error);
}

/** The members of a response that describe its failure, also of a client other than `fetch`. */
export interface FailedResponse {
  status: number;
  statusText: string;
  headers: { get(name: string): string | null };
}

/** Turns a response without success into an error; its body may be a problem document (RFC 9457) or anything else. */
export function problemOf(response: FailedResponse, body: string, now: number): ApiProblem {
  const document = parse(body);
  return new ApiProblem({
    status: response.status,
    code: typeof document.code === 'string' ? document.code : null,
    detail: detailOf(response, document, body),
    errors: Array.isArray(document.errors) ? document.errors : [],
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now),
  });
}

/**
 * Reads a Retry-After header (RFC 9110, 10.2.3): returns ms from now, at most an hour; null if it is absent or
 * unreadable.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000);
}

function detailOf(response: FailedResponse, document: Partial<Problem>, body: string): string {
  const to = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && to !== null)
    return `redirected to ${to}, which is not followed: use that address`;
  return document.detail ?? document.title ?? (body.slice(0, 200) || response.statusText);
}

function parse(body: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
