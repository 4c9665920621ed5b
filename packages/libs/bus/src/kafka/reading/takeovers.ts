/**
 * Heartbeats, each of which shows that the group still gives the partitions to this reader, before they are claimed again. The
 * first may have been on its way when the loss was noticed.
 */
const HEARTBEATS_BEFORE_CLAIM = 2;

/**
 * Takes the partitions of each assignment over, one assignment after the other: a claim of an earlier assignment that reached the
 * store after that of a later one would fence the later one off.
 *
 * A claim of another process can be late as well, for example of one that was frozen. The store then refuses what this reader
 * applies although the group gives it the partitions, so they are claimed again.
 */
export class Takeovers {
  readonly #takeOver: (partitions: readonly number[], isNewest: () => boolean) => Promise<void>;
  #partitions: readonly number[] = [];
  #generation = 0;
  #heartbeatsLeft: number | null = null;
  #running: Promise<void> = Promise.resolve();

  /** `takeOver` resolves early once `isNewest` returns false. */
  constructor(takeOver: (partitions: readonly number[], isNewest: () => boolean) => Promise<void>) {
    this.#takeOver = takeOver;
  }

  /** Resolves once the newest assignment was taken over. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** Takes over what the group assigned. */
  assigned(partitions: readonly number[]): void {
    this.#partitions = partitions;
    this.#generation += 1;
    this.#heartbeatsLeft = null;
    const mine = this.#generation;
    this.#running = this.#running
      .catch(() => undefined)
      .then(() => this.#takeOver(partitions, () => mine === this.#generation));
  }

  /** Must be called when the store has refused a move, since another claim is newer. */
  lost(): void {
    this.#heartbeatsLeft ??= HEARTBEATS_BEFORE_CLAIM;
  }

  /** Must be called after each heartbeat that the group accepted. Returns true if the partitions are claimed again. */
  heartbeat(): boolean {
    if (this.#heartbeatsLeft === null) return false;
    this.#heartbeatsLeft -= 1;
    if (this.#heartbeatsLeft > 0) return false;
    this.assigned(this.#partitions);
    return true;
  }
}
