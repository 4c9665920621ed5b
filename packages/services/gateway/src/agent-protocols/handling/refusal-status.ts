import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { BodyTooLargeError } from '../wire/body-too-large-error.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';

/** How long a sender is to wait where nothing else is known. */
const RETRY_AFTER_SECONDS = '5';

/**
 * The problem of an error, with the status that senders understand: 400 for what will never be taken, 503 with Retry-After for what
 * will be taken later. Most drop what is answered 429, and some repeat what is answered 413, 404 or 422 for ever. `mayBeTooLarge`
 * says whether the senders of the protocol divide a request that is too large.
 */
export function refusalOf(
  error: unknown,
  mayBeTooLarge: boolean,
): { problem: ProblemError; status: number } | null {
  if (error instanceof BodyTooLargeError) {
    const problem = new ProblemError('payload_too_large', { detail: error.message, cause: error });
    return { problem, status: statusOf(problem, mayBeTooLarge) };
  }
  if (error instanceof MalformedBodyError)
    return { problem: new ProblemError('bad_request', { detail: error.message, cause: error }), status: 400 };
  if (!(error instanceof ProblemError)) return null;
  return { problem: error, status: statusOf(error, mayBeTooLarge) };
}

function statusOf({ status }: ProblemError, mayBeTooLarge: boolean): number {
  if (status === 429 || status >= 500) return 503;
  if (status === 401 || status === 403 || status === 415) return status;
  return status === 413 && mayBeTooLarge ? 413 : 400;
}

/** The headers of such a response. */
export function refusalHeaders({ headers }: ProblemError, status: number): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('RateLimit'));
  return { ...(status === 503 && { 'Retry-After': RETRY_AFTER_SECONDS }), ...Object.fromEntries(kept) };
}
