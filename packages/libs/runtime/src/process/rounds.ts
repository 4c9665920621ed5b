export interface RoundsOptions {
  /** Does what there is to do; answers how long to rest before the next round, ms, not at all where it is 0 or less. */
  round(): Promise<number>;
  /** Told of each round that failed; what it had to do is tried again by the next one. */
  onFailure(error: unknown): void;
  /** The pause after a first failure, ms; it doubles with each further one, up to the longest. */
  shortestPauseMs: number;
  longestPauseMs: number;
  /** 0 up to 1, so that processes that failed together do not all come back together. Default Math.random. */
  random?: () => number;
}

export interface Rounds {
  start(): void;
  /** There is something to do: ends a rest, or takes the place of the one that would follow the round under way. */
  nudge(): void;
  /** Whether no further round begins; a round that takes long asks. */
  isStopped(): boolean;
  /** Begins no further round, and waits for the one that is under way. */
  stop(): Promise<void>;
}

/**
 * One round of work after the other, never two at once, with a rest in between that a nudge ends. After a failure the rest is
 * half of the pause at least and all of it at most, and nudges from during the failed round do not shorten it.
 */
export function createRounds(options: RoundsOptions): Rounds {
  const { shortestPauseMs, longestPauseMs, random = Math.random } = options;
  let stopped = true;
  let goesOn = false;
  let nudged = false;
  let wake: () => void = () => {};
  let running: Promise<void> = Promise.resolve();

  function rest(ms: number): Promise<void> {
    if (nudged || stopped || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    let pause = shortestPauseMs;
    goesOn = true;
    while (!stopped) {
      nudged = false;
      let restMs: number;
      try {
        restMs = await options.round();
        pause = shortestPauseMs;
      } catch (error) {
        options.onFailure(error);
        nudged = false;
        restMs = (pause * (1 + random())) / 2;
        pause = Math.min(pause * 2, longestPauseMs);
      }
      await rest(restMs);
    }
    goesOn = false;
  }

  return {
    start() {
      stopped = false;
      if (!goesOn) running = run();
    },
    nudge() {
      nudged = true;
      wake();
    },
    isStopped: () => stopped,
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
