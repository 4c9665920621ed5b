/** Synchronous work gives way to the event loop after so long, ms. */
const TURN_MS = 10;

/** What waits for a round of the event loop: one goes on in each, so that many together delay others no longer than one. */
const waiting: (() => void)[] = [];

/**
 * Lets long synchronous work give way to the event loop, `if (turn.isOver) await turn.give()` between two short pieces, and
 * stops it when nobody waits for it any more.
 */
export class Turn {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** The event loop has had its turn otherwise, such as while the database answered. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Whether it is time to give way. */
  get isOver(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Gives way where it is time to. Throws the signal's reason once it is aborted. */
  async give(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!this.isOver) return;
    await nextRound();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
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
