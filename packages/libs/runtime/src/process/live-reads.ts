/** How long after a read a further one is expected, ms. */
const WATCHED_MS = 60_000;

/**
 * Joins the readers of live values with their writers, which may hold values back while nobody reads. A process gets one only if every
 * request that reads through the API comes to it.
 */
export class LiveReads {
  readonly #now: () => number;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #writers: (() => Promise<void>)[] = [];
  #writing: Promise<unknown> = Promise.resolve();

  /** `now` is a monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Adds what writes every value that a writer holds back. */
  serve(write: () => Promise<void>): void {
    this.#writers.push(write);
  }

  /** Whether somebody has read within the last minute, so that no value is to be held back. */
  get isWatched(): boolean {
    return this.#now() - this.#readAt < WATCHED_MS;
  }

  /**
   * Must be called before a read: resolves once the values that were held back are written, at once while `isWatched`. A failure does not
   * reject: the values are written by the next round of the writer, which reports it.
   */
  async beforeRead(): Promise<void> {
    const wasWatched = this.isWatched;
    this.#readAt = this.#now();
    if (!wasWatched) this.#writing = Promise.allSettled(this.#writers.map((write) => write()));
    await this.#writing;
  }
}
