/** A task that runs in rounds, one at a time. */
export interface Job {
  start(): void;
  /** Ends the job; resolves once the running round is over. */
  stop(): Promise<void>;
}

/**
 * Runs `round` repeatedly; `round` returns the pause before the next round, ms. After a failed round the pause is
 * `retryMs`.
 */
export function createJob(
  round: () => Promise<number>,
  retryMs: number,
  failed: (error: unknown) => void,
): Job {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = true;
  const run = async () => {
    let wait = retryMs;
    try {
      wait = await round();
    } catch (error) {
      failed(error);
    }
    running = undefined;
    if (!stopped) schedule(wait);
  };
  const schedule = (wait: number) => {
    timer = setTimeout(() => {
      running = run();
    }, wait);
  };
  return {
    start() {
      if (!stopped) return;
      stopped = false;
      schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
