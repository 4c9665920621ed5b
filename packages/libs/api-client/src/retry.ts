/** The result of one attempt of a request: the status of its response, or null without one. */
export interface Try {
  method: string;
  /** True if the request is idempotent, so that it may be repeated. */
  repeatable: boolean;
  /** The number of attempts before this one. */
  earlier: number;
  status: number | null;
  code: string | null;
  /** The value of the response's Retry-After header, ms. */
  retryAfterMs: number | null;
}

export interface Patience {
  /** The max number of attempts after the first. */
  retries: number;
  /** No retry follows where the wait would be longer. Milliseconds. */
  maxWaitMs: number;
}

const BUSY = new Set([408, 502, 503, 504]);

/**
 * How long to wait before the next attempt, null for no retry. A 429 or 503 means that nothing was done, so any request is
 * retried; but after `database_unavailable`, as without a response, the outcome is unknown.
 */
export function waitBeforeRetry(attempt: Try, patience: Patience, random: number): number | null {
  if (attempt.earlier >= patience.retries || !mayRepeat(attempt)) return null;
  const wait = Math.max(attempt.retryAfterMs ?? 0, 0) + backoffMs(attempt.earlier, random);
  return (attempt.retryAfterMs ?? 0) > patience.maxWaitMs ? null : Math.min(wait, patience.maxWaitMs);
}

function mayRepeat({ status, code, repeatable }: Try): boolean {
  if (status === 429) return true;
  if (status === 503 && code !== null && code !== 'database_unavailable') return true;
  return repeatable && (status === null || BUSY.has(status));
}

/** Full jitter: anywhere between nothing and an exponentially growing bound. `random` is in [0, 1). */
export function backoffMs(earlier: number, random: number): number {
  return random * Math.min(60_000, 500 * 2 ** Math.min(earlier, 20));
}
