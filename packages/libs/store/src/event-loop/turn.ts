/** Synchronous work yields to the event loop after this time, ms. */
export const MAX_TURN_MS = 5;

/**
 * Tasks that have yielded. One continues in each iteration of the event loop, so that many tasks delay other work as little
 * as one.
 */
const waiting: (() => void)[] = [];

/**
 * Lets long synchronous work yield to the event loop: call `if (turn.isOver) await turn.yieldWhenDue()` between short
 * pieces. Stops the work when the signal is aborted.
 */
export class Turn {
  readonly #signal: AbortSignal | undefined;
  /** After how long the work yields, ms. */
  protected maxMs = MAX_TURN_MS;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Restarts the time after the work has yielded otherwise, such as by awaiting the database. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Whether the work has run so long that it should yield to the event loop. */
  get isOver(): boolean {
    return this.workedMs > this.maxMs;
  }

  /** How long the work has run since it yielded last, ms. */
  protected get workedMs(): number {
    return performance.now() - this.#since;
  }

  /** Yields to the event loop if the time is used up. Throws the signal's reason if it is aborted. */
  async yieldWhenDue(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!this.isOver) return;
    await nextRound();
    this.#signal?.throwIfAborted();
    this.begin();
  }
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resume);
  });
}

function resume(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resume);
}
