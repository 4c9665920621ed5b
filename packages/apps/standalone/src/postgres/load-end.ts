/** A shorter log is redone after a crash in a fraction of a second, bytes. */
const MIN_LOG_BYTES = 64 * 2 ** 20;
/** A load has ended once the log grows by less than this share of its fastest growth since the last checkpoint. */
const QUIET_SHARE = 1 / 4;
/** For so many observations in a row, since hosts that report at once leave pauses. */
const QUIET_OBSERVATIONS = 2;
/** The min time between two ends, ms, since a page is written in full when it first changes after a checkpoint. */
const MIN_INTERVAL_MS = 300_000;

/** Finds out from the growth of the write-ahead log when a load has ended. A steady load never ends. */
export class LoadEnd {
  #bytes = Number.NaN;
  #fastest = 0;
  #quiet = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /**
   * Takes the bytes of the log since the last checkpoint, as read at a steady interval, and the time in ms. Returns true if a load
   * has ended that left much to redo after a crash.
   */
  observe(bytes: number, now: number): boolean {
    // What was written before the first observation has no pace.
    const growth = Number.isNaN(this.#bytes) ? 0 : bytes - this.#bytes;
    this.#bytes = bytes;
    // A checkpoint was written meanwhile.
    if (growth < 0) this.#fastest = 0;
    this.#fastest = Math.max(this.#fastest, growth);
    this.#quiet = growth < this.#fastest * QUIET_SHARE ? this.#quiet + 1 : 0;
    if (bytes < MIN_LOG_BYTES || this.#quiet < QUIET_OBSERVATIONS) return false;
    if (now - this.#endedAt < MIN_INTERVAL_MS) return false;
    this.#endedAt = now;
    return true;
  }
}
