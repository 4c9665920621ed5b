import type { IngestAnswer } from '@tidewatch/client/ingest';
import { ApiProblem } from '@tidewatch/client/problem';

/** What an answer means for the bodies that were sent. */
export type SendVerdict =
  | { kind: 'accepted'; rejected: number; faults: string[] }
  | { kind: 'retry'; reason: string; retryAfterMs: number }
  | { kind: 'split'; reason: string }
  | { kind: 'refused'; reason: string };

const SHOWN_FAULTS = 5;

/** Of an answer with success. */
export function judgeAnswer(answer: Pick<IngestAnswer, 'events_rejected' | 'errors'>): SendVerdict {
  const { events_rejected: rejected = 0, errors = [] } = answer;
  return {
    ...{ kind: 'accepted', rejected },
    faults: errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path}: ${message}`),
  };
}

/**
 * Of everything else: 408, 429, 5xx and no answer are tried again, as is an answer that is none of the service's (of a
 * login page in between); 413 is tried in halves; every other answer is final.
 */
export function judgeFailure(error: unknown, sent: number): SendVerdict {
  if (!(error instanceof ApiProblem)) {
    const reason = error instanceof Error ? error.message : 'unknown fault';
    return { kind: 'retry', reason, retryAfterMs: 0 };
  }
  const { status, message: reason, retryAfterMs } = error;
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'retry', reason, retryAfterMs: retryAfterMs ?? 0 };
  }
  if (status === 413 && sent > 1) return { kind: 'split', reason };
  return { kind: 'refused', reason };
}
