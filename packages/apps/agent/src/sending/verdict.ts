import type { IngestAnswer } from '@tidewatch/api-client/ingest';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { PROBLEM_CODES } from '@tidewatch/contracts/values/problem';

/** What an answer means for the bodies that were sent. `refusesKey`: it is the key that has to be replaced. */
export type SendVerdict =
  | { kind: 'accepted'; rejected: number; faults: string[] }
  | { kind: 'retry'; reason: string; retryAfterMs: number; refusesKey: boolean }
  | { kind: 'split'; reason: string }
  | { kind: 'refused'; reason: string; faults: string[] };

const SHOWN_FAULTS = 5;

/** Answers of the service that find fault with the content: the same would be refused again. */
const FINAL = new Set([400, 413, 422]);
const CODES: ReadonlySet<string | null> = new Set(PROBLEM_CODES);

/** Of an answer with success. Only one that counts payloads is the service's: a proxy in between may answer 200 as well. */
export function judgeAnswer(answer: Partial<IngestAnswer> | null | undefined): SendVerdict {
  if (typeof answer?.events_accepted !== 'number') return retry('the answer is not that of Tidewatch');
  const { events_rejected: rejected = 0, errors = [] } = answer;
  return { kind: 'accepted', rejected, faults: shown(errors) };
}

/**
 * Of everything else: what the service refuses for its content is sent in halves until the payload is found that it is about,
 * and that one is final. All else is tried again: no answer, a limit, a key that was revoked or replaced, and whatever something
 * in between answers in its place, which has no code of the service.
 */
export function judgeFailure(error: unknown, sent: number): SendVerdict {
  if (!(error instanceof ApiProblem)) return retry(error instanceof Error ? error.message : 'unknown fault');
  const { status, code, message: reason, retryAfterMs } = error;
  const isOurs = CODES.has(code);
  if (sent > 1 && (status === 413 || (isOurs && FINAL.has(status)))) return { kind: 'split', reason };
  if (isOurs && FINAL.has(status)) return { kind: 'refused', reason, faults: shown(error.errors) };
  return retry(reason, retryAfterMs ?? 0, isOurs && (status === 401 || status === 403));
}

function retry(reason: string, retryAfterMs = 0, refusesKey = false): SendVerdict {
  return { kind: 'retry', reason, retryAfterMs, refusesKey };
}

function shown(errors: readonly { path: string; message: string }[]): string[] {
  return errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path}: ${message}`);
}
