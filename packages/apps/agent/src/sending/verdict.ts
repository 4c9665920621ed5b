import type { IngestAnswer } from '@tidewatch/client/ingest';
import { ApiProblem } from '@tidewatch/client/problem';

/** What an answer means for the bodies that were sent. */
export type SendVerdict =
  | { kind: 'accepted'; rejected: number; faults: string[] }
  | { kind: 'retry'; reason: string; retryAfterMs: number }
  | { kind: 'split'; reason: string }
  | { kind: 'refused'; reason: string };

const SHOWN_FAULTS = 5;

/** Answers of the service that find fault with what was sent: the same would be refused again. */
const FINAL = new Set([400, 413, 415, 422]);

/** Of an answer with success. Only one that counts payloads is the service's: a proxy in between may answer 200 as well. */
export function judgeAnswer(answer: Partial<IngestAnswer> | null | undefined): SendVerdict {
  if (typeof answer?.events_accepted !== 'number')
    return { kind: 'retry', reason: 'the answer is not that of Tidewatch', retryAfterMs: 0 };
  const { events_rejected: rejected = 0, errors = [] } = answer;
  return {
    ...{ kind: 'accepted', rejected },
    faults: errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path}: ${message}`),
  };
}

/**
 * Of everything else: what the service refuses for its content is final, a 413 is tried in halves first. All else is tried
 * again: no answer, a limit, a key that was revoked or replaced, and whatever something in between answers in its place.
 */
export function judgeFailure(error: unknown, sent: number): SendVerdict {
  if (!(error instanceof ApiProblem)) {
    const reason = error instanceof Error ? error.message : 'unknown fault';
    return { kind: 'retry', reason, retryAfterMs: 0 };
  }
  const { status, code, message: reason, retryAfterMs } = error;
  if (status === 413 && sent > 1) return { kind: 'split', reason };
  if (code !== null && FINAL.has(status)) return { kind: 'refused', reason };
  return { kind: 'retry', reason, retryAfterMs: retryAfterMs ?? 0 };
}
