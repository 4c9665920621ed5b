import type { IngestAnswer } from '@tidewatch/api-client/ingest';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { PROBLEM_CODES } from '@tidewatch/contracts/problems/problem-codes';

/** What a request means for the payloads that it sent. `refusesKey`: the service refused the key and not the payloads. */
export type SendOutcome =
  | { kind: 'accepted'; rejected: number; faults: string[] }
  | { kind: 'retry'; reason: string; retryAfterMs: number; refusesKey: boolean }
  | { kind: 'split'; reason: string }
  | { kind: 'refused'; reason: string; faults: string[] };

const MAX_LOGGED_FAULTS = 5;

/** Statuses with which the service refuses the content, so that a retry cannot succeed. */
const FINAL_STATUSES = new Set([400, 413, 422]);
const CODES: ReadonlySet<string | null> = new Set(PROBLEM_CODES);

/** Classifies a successful response. One without a count of payloads comes from a proxy and not from the service. */
export function classifyAnswer(answer: Partial<IngestAnswer> | null | undefined): SendOutcome {
  if (typeof answer?.events_accepted !== 'number')
    return retry('the answer does not come from Tidewatch: it has no events_accepted');
  const { events_rejected: rejected = 0, errors = [] } = answer;
  return { kind: 'accepted', rejected, faults: describeFaults(errors) };
}

/**
 * Classifies any other outcome. A batch whose content the service refuses is divided until the invalid payload is alone and
 * dropped. Everything else is retried: timeouts, limits, a revoked key, and responses of proxies, which have no problem
 * code of the service.
 */
export function classifyFailure(error: unknown, sent: number): SendOutcome {
  if (!(error instanceof ApiProblem)) return retry(error instanceof Error ? error.message : 'unknown error');
  const { status, code, message: reason, retryAfterMs } = error;
  const isOurs = CODES.has(code);
  if (sent > 1 && (status === 413 || (isOurs && FINAL_STATUSES.has(status))))
    return { kind: 'split', reason };
  if (isOurs && FINAL_STATUSES.has(status))
    return { kind: 'refused', reason, faults: describeFaults(error.errors) };
  return retry(reason, retryAfterMs ?? 0, isOurs && (status === 401 || status === 403));
}

function retry(reason: string, retryAfterMs = 0, refusesKey = false): SendOutcome {
  return { kind: 'retry', reason, retryAfterMs, refusesKey };
}

function describeFaults(errors: readonly { path: string; message: string }[]): string[] {
  return errors.slice(0, MAX_LOGGED_FAULTS).map(({ path, message }) => `${path}: ${message}`);
}
