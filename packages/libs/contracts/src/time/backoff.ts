/** The bounds of a backoff, ms. */
export interface BackoffBounds {
  minMs: number;
  maxMs: number;
}

/**
 * The pause after a failure, ms: it doubles with each of the failures before it, `earlier`, up to `maxMs`. `random` in [0, 1) is the
 * jitter, which takes the place of the second half of the pause, so that those who failed together do not retry together; 1
 * gives the whole pause.
 */
export function backoffMs(earlier: number, { minMs, maxMs }: BackoffBounds, random: number): number {
  return (Math.min(maxMs, minMs * 2 ** Math.min(earlier, 30)) * (1 + random)) / 2;
}
