/** A log that grows by less than this from one observation to the next is at rest, bytes. */
const MAX_GROWTH_BYTES = 256 * 2 ** 10;
/** The min time between two ends, ms, since under a load that goes on autovacuum takes its rounds. */
const MIN_INTERVAL_MS = 60_000;

/** What one look at the server finds. */
export interface SealedState {
  /** How many rows seals have deleted from the logs of samples and snapshots that are not vacuumed. */
  deadRows: number;
  /** Bytes of the write-ahead log since the last checkpoint. */
  bytes: number;
}

/** Finds out when seals have ended and nothing else is written, so that what they deleted can be vacuumed at once. */
export class SealsEnd {
  #last: SealedState = { deadRows: 0, bytes: 0 };
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Takes what was found at a steady interval, and the time in ms. Returns true if seals have ended. */
  observe(state: SealedState, now: number): boolean {
    const { deadRows, bytes } = this.#last;
    this.#last = state;
    if (state.deadRows === 0 || state.deadRows !== deadRows) return false;
    if (Math.abs(state.bytes - bytes) >= MAX_GROWTH_BYTES) return false;
    if (now - this.#endedAt < MIN_INTERVAL_MS) return false;
    this.#endedAt = now;
    return true;
  }
}
