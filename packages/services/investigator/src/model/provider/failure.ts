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

/** A call that was not made, with the reason in plain words. */
export class CallRefused extends Error {
  override name = 'CallRefused';
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'the model’s server did not take the request (400)',
  401: 'the model’s server refused the key (401)',
  402: 'the model’s server wants to be paid (402)',
  403: 'the model’s server refused the key (403)',
  404: 'the model’s server knows no such model or address (404)',
  413: 'the request was too long for the model’s server (413)',
  429: 'the model’s server had too many requests (429)',
};

/**
 * Why there is no answer, in plain words of ours alone: what a server says about its failure may hold anything. Undefined
 * where it is none of the failures that are known.
 */
export function failureOf(error: unknown): string | undefined {
  for (const each of causesOf(error)) {
    if (each instanceof CallRefused) return each.message;
    if (each instanceof AnswerTooLong) return 'the model’s server answered without end';
  }
  if (NoOutputGeneratedError.isInstance(error) || ToolChoiceViolationError.isInstance(error))
    return 'the model asked for more data than it may and gave no answer';
  if (NoObjectGeneratedError.isInstance(error) && error.finishReason === 'length')
    return 'the model’s answer was longer than it may be';
  if (
    NoObjectGeneratedError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  )
    return FORMLESS;
  if (APICallError.isInstance(error)) return failureOfCall(error);
  return undefined;
}

const FORMLESS = 'the model’s answer was not of the form that was asked for';

function failureOfCall(error: APICallError): string {
  const { statusCode: status } = error;
  if (status === undefined) {
    const code = causesOf(error)
      .map(codeOf)
      .find((each) => each !== undefined);
    return `the model’s server could not be reached${code === undefined ? '' : ` (${code})`}`;
  }
  if (status >= 200 && status < 300) return FORMLESS;
  if (status >= 300 && status < 400)
    return `the model’s server redirects elsewhere (${status}), which is not followed`;
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

/** How long to wait before the call may be made once more, ms; null where that is in vain. */
export function retryAfterMs(error: unknown): number | null {
  if (!APICallError.isInstance(error) || !error.isRetryable) return null;
  const seconds = Number(error.responseHeaders?.['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : USUAL_PAUSE_MS;
}

const USUAL_PAUSE_MS = 1_000;

/** What is known of a failed call's cost: nothing was taken where the server answered with a failure. */
export function wasFree(error: unknown): boolean {
  return APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300;
}
