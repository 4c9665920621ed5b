/** A poll finds nothing for this long before it rests, ms. */
export const RESTS_AFTER_MS = 1_000;

export interface PollPauseOptions {
  /** The pause while there is work, ms. */
  everyMs: number;
  /** The pause at rest, ms. */
  atRestMs: number;
}

/**
 * The pause between polls of a queue that a nudge ends where work comes from the same process: longer once nothing was found for a second,
 * since each poll costs processor time of two processes, whether there is work or not.
 */
export class PollPause {
  readonly #options: PollPauseOptions;
  #foundAt = Number.NEGATIVE_INFINITY;

  constructor(options: PollPauseOptions) {
    this.#options = options;
  }

  /** The pause after a poll at `now`, by any clock, that found work or nothing; ms. */
  after(hasFound: boolean, now: number): number {
    if (hasFound) this.#foundAt = now;
    const { everyMs, atRestMs } = this.#options;
    return now - this.#foundAt >= RESTS_AFTER_MS ? Math.max(everyMs, atRestMs) : everyMs;
  }
}
