/** What one try of a request came to: an answer's status, or null where none came. */
export interface Try {
  method: string;
  /** Whether doing it twice is as good as once. */
  repeatable: boolean;
  /** Tries before this one. */
  earlier: number;
  status: number | null;
  code: string | null;
  /** What the answer asks for, milliseconds. */
  retryAfterMs: number | null;
}

export interface Patience {
  /** Further tries after the first. */
  retries: number;
  /** A wait that would be longer is not begun. Milliseconds. */
  longestWaitMs: number;
}

const BUSY = new Set([408, 502, 503, 504]);

/**
 * How long to wait before the next try, null to give up. 429 and 503 were refused before anything was done, so any request
 * is sent again; but after `database_unavailable`, as after no answer, what became of it is unknown.
 */
export function waitBeforeRetry(attempt: Try, patience: Patience, random: number): number | null {
  if (attempt.earlier >= patience.retries || !mayRepeat(attempt)) return null;
  const wait = Math.max(attempt.retryAfterMs ?? 0, 0) + backoffMs(attempt.earlier, random);
  return (attempt.retryAfterMs ?? 0) > patience.longestWaitMs ? null : Math.min(wait, patience.longestWaitMs);
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
