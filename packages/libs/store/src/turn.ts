/** Judging gives way to the event loop after so long, ms. */
const TURN_MS = 10;

/** Gives way to the event loop now and then, and stops when nobody waits any more or it took too long. */
export class Turn {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether it is time to give way. */
  get isOver(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Throws the signal's reason once it is aborted. */
  async give(): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}
