import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';

/**
 * The pause before the first retry (which comes within five seconds), and the max pause; each pause is twice the previous
 * one. In ms.
 */
const RETRY = { minMs: 4_000, maxMs: 10 * MINUTE_MS };
/** Maximum Retry-After of a destination, ms. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

/** The Retry-After of a destination, limited to an hour, ms; null if there is none. */
export function boundedRetryAfter(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Math.min(Math.max(retryAfterMs, 0), MAX_RETRY_AFTER_MS);
}

/**
 * When to retry after attempt number `attempt` failed at `now`; null if that would be after `giveUpAt`. `random` in [0, 1)
 * is the jitter, up to half of the pause. Times are ms.
 */
export function retryAt(
  attempt: number,
  now: number,
  giveUpAt: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const pause = Math.max(backoffMs(attempt - 1, RETRY, random), boundedRetryAfter(retryAfterMs) ?? 0);
  const at = Math.ceil(now + pause);
  return at > giveUpAt ? null : at;
}
