/** How long after a read a further one is expected, ms. */
const WATCHED_MS = 60_000;

/**
 * Joins the readers of live rows with their writer, which may hold rows back while nobody reads. A process gets one only if every request
 * that reads through the API comes to it.
 */
export class LiveReads {
  readonly #now: () => number;
  #readAt = Number.NEGATIVE_INFINITY;
  #write: () => Promise<void> = async () => {};
  #writing: Promise<void> = Promise.resolve();

  /** `now` is a monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Sets what writes every row that is held back. */
  serve(write: () => Promise<void>): void {
    this.#write = write;
  }

  /** Whether somebody has read within the last minute, so that no row is to be held back. */
  get isWatched(): boolean {
    return this.#now() - this.#readAt < WATCHED_MS;
  }

  /**
   * Must be called before a read: resolves once the rows that were held back are written, at once while `isWatched`. A failure does not reject:
   * the rows are written by the next round of the writer, which reports it.
   */
  async beforeRead(): Promise<void> {
    const wasWatched = this.isWatched;
    this.#readAt = this.#now();
    if (!wasWatched) this.#writing = this.#write().catch(() => {});
    await this.#writing;
  }
}
