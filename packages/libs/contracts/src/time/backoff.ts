/** The bounds of a backoff, ms. */
export interface BackoffBounds {
  minMs: number;
  maxMs: number;
}

/**
 * The pause after a failure, ms: doubled for each of the `earlier` failures before, up to `maxMs`. `random` in [0, 1) is
 * the jitter, up to half of the pause, so that callers that failed together do not retry together; 1 gives the whole pause.
 */
export function backoffMs(earlier: number, { minMs, maxMs }: BackoffBounds, random: number): number {
  return (Math.min(maxMs, minMs * 2 ** Math.min(earlier, 30)) * (1 + random)) / 2;
}
