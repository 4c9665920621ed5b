import { backoffMs } from '@tidewatch/contracts/time/backoff';

export interface RoundsOptions {
  /** Runs one round of work; returns the pause before the next round, ms (0 or less for none). */
  round(): Promise<number>;
  /** Called for each failed round; the next round retries the work. */
  onFailure(error: unknown): void;
  /** The pause after a first failure, ms; it doubles with each further one, up to `maxPauseMs`. */
  minPauseMs: number;
  maxPauseMs: number;
  /** The jitter, 0 up to 1, so that processes that failed together do not retry together. Default Math.random. */
  random?: () => number;
}

export interface Rounds {
  start(): void;
  /** Starts the next round without a pause: now, or after the running round. */
  nudge(): void;
  /** Returns true once `stop` was called, so that a long round can end early. */
  isStopped(): boolean;
  /** Starts no further round, and waits for the running one. */
  stop(): Promise<void>;
}

/**
 * Runs rounds of work one after the other, with pauses that a nudge ends. The pause after a failure has a jitter of up to
 * one half, and nudges during the failed round do not shorten it.
 */
export function createRounds(options: RoundsOptions): Rounds {
  const { minPauseMs, maxPauseMs, random = Math.random } = options;
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
    let failures = 0;
    goesOn = true;
    while (!stopped) {
      nudged = false;
      let restMs: number;
      try {
        restMs = await options.round();
        failures = 0;
      } catch (error) {
        options.onFailure(error);
        nudged = false;
        restMs = backoffMs(failures++, { minMs: minPauseMs, maxMs: maxPauseMs }, random());
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
