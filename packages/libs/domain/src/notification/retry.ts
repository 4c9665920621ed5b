import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The first retry comes within five seconds, later ones twice as late each time, up to this; ms. */
const RETRY = { minMs: 4_000, maxMs: 10 * MINUTE_MS };
/** Maximum Retry-After of a destination, ms. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

/** The Retry-After of a destination, limited, ms; null without one. */
export function boundedRetryAfter(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Math.min(Math.max(retryAfterMs, 0), MAX_RETRY_AFTER_MS);
}

/**
 * When to try again after the attempt of this number, 1 for the first, failed at `now`; null where that would be after
 * `giveUpAt`. `random` in [0, 1) spreads retries over the second half of the pause. Times are ms.
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
