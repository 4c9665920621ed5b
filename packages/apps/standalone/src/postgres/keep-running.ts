import type { LogLine, ServerProcess } from './server-process.ts';

const MIN_PAUSE = 200;
const MAX_PAUSE = 10_000;

/** Starts a server and restarts it whenever it ends unexpectedly; rejects when the first start fails. */
export async function keepRunning(
  start: () => Promise<ServerProcess>,
  cleanUp: () => Promise<void>,
  log: LogLine,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let current = await start();
  let restarting: Promise<void> = Promise.resolve();

  function watch(): void {
    current.ended.then(() => {
      if (!stopping) {
        log('error', 'PostgreSQL ended unexpectedly; restarting it');
        restarting = restart();
      }
    });
  }

  async function restart(): Promise<void> {
    for (let pause = MIN_PAUSE; !stopping; pause = Math.min(2 * pause, MAX_PAUSE)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        await cleanUp();
        if (stopping) {
          return;
        }
        current = await start();
        watch();
        return;
      } catch (error) {
        log('error', 'PostgreSQL could not be restarted; retrying', { err: error });
      }
    }
  }

  watch();
  return {
    async stop() {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
}
