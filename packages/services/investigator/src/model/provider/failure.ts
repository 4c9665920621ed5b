import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  ToolChoiceViolationError,
  TypeValidationError,
} from 'ai';
import { AnswerTooLong } from './guarded-fetch.ts';

/** A call that a limit forbids; the message states the reason for people. */
export class CallRefused extends Error {
  override name = 'CallRefused';
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'the model’s server rejected the request (400)',
  401: 'the model’s server refused the key (401)',
  402: 'the model’s server requires payment (402)',
  403: 'the model’s server refused the key (403)',
  404: 'the model’s server has no such model or address (404)',
  413: 'the request was too long for the model’s server (413)',
  429: 'the model’s server reports too many requests (429)',
};

/**
 * Describes why there is no answer, without text of the server, which may contain secrets; undefined for an unknown
 * failure.
 */
export function failureOf(error: unknown): string | undefined {
  for (const each of causesOf(error)) {
    if (each instanceof CallRefused) return each.message;
    if (each instanceof AnswerTooLong) return 'the answer of the model’s server was larger than 1 MiB';
  }
  if (NoOutputGeneratedError.isInstance(error) || ToolChoiceViolationError.isInstance(error))
    return 'the model called tools until its limit of calls and gave no answer';
  if (NoObjectGeneratedError.isInstance(error) && error.finishReason === 'length')
    return 'the model’s answer exceeded the limit of tokens for an answer';
  if (
    NoObjectGeneratedError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  )
    return INVALID_FORM;
  if (APICallError.isInstance(error)) return failureOfCall(error);
  return undefined;
}

const INVALID_FORM = 'the model’s answer did not match the required schema';

function failureOfCall(error: APICallError): string {
  const { statusCode: status } = error;
  if (status === undefined) {
    const code = causesOf(error)
      .map(codeOf)
      .find((each) => each !== undefined);
    return `the model’s server could not be reached${code === undefined ? '' : ` (${code})`}`;
  }
  if (status >= 200 && status < 300) return INVALID_FORM;
  if (status >= 300 && status < 400)
    return `the model’s server answered with a redirect (${status}), which is not followed`;
  return BY_STATUS[status] ?? `the model’s server failed (${status})`;
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (
    let each = error;
    each !== undefined && causes.length < 8;
    each = each instanceof Error ? each.cause : undefined
  )
    causes.push(each);
  return causes;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z][A-Z_]{2,40}$/.test(error.code) ? error.code : undefined;
}

/** How long to wait before the call is retried, ms; null if a retry cannot help. */
export function retryAfterMs(error: unknown): number | null {
  if (!APICallError.isInstance(error) || !error.isRetryable) return null;
  const seconds = Number(error.responseHeaders?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : DEFAULT_RETRY_MS;
}

const DEFAULT_RETRY_MS = 1_000;

/** Whether a failed call costs nothing, because the server answered with an error status. */
export function wasFree(error: unknown): boolean {
  return APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300;
}
