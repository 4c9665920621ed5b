import { ConfigError } from '../settings/config-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';

/** The part of `process` that `run` uses; main.ts passes the real one, since only it may end the process. */
export type HostProcess = Pick<NodeJS.Process, 'on' | 'exit'>;

/** The signals that end a run; SIGHUP comes from a terminal that was closed. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * How long to wait after a failed start for a signal, ms: a signal that also ended a child program may be the cause of the
 * failure.
 */
const SIGNAL_WITHIN_MS = 100;

export interface RunOptions {
  process: HostProcess;
  logger: Logger;
  /** Opens every part on the lifecycle; after this resolves, the process runs until a signal. */
  start(lifecycle: Lifecycle): Promise<void>;
  /** Milliseconds for closing before the process leaves anyway; 9,500 by default. */
  closeWithinMs?: number;
}

/** An expected reason why the process cannot start; its message is all that an operator needs. */
export class StartRefusedError extends Error {
  override name = 'StartRefusedError';
}

/**
 * Runs a process from start to exit. The first of STOP_SIGNALS closes all parts and exits with 0,
 * a second one exits at once with 1; a failed start or an unexpected exception closes and exits with 1.
 */
export async function run({
  process: host,
  logger,
  start,
  closeWithinMs = 9_500,
}: RunOptions): Promise<void> {
  const lifecycle = createLifecycle(logger);
  let leaving = false;
  let started = false;

  async function leave(code: number): Promise<void> {
    if (leaving) return;
    leaving = true;
    setTimeout(() => {
      logger.error('timeout while closing; exiting now');
      host.exit(1);
    }, closeWithinMs).unref();
    await lifecycle.close();
    host.exit(code);
  }

  for (const signal of STOP_SIGNALS) {
    host.on(signal, () => {
      if (leaving) {
        host.exit(1);
        return;
      }
      logger.info({ signal }, started ? 'stopping' : 'the start was interrupted; stopping');
      void leave(0);
    });
  }
  host.on('uncaughtException', (error: Error) => {
    logger.fatal({ err: error }, 'unexpected exception; exiting');
    void leave(1);
  });
  host.on('unhandledRejection', (error: unknown) => {
    logger.fatal({ err: error }, 'unhandled rejection; exiting');
    void leave(1);
  });

  try {
    await start(lifecycle);
    started = true;
  } catch (error) {
    // Ctrl-C in a terminal also ends programs that the start runs, such as initdb, before this process handles the signal.
    if (!leaving) await new Promise((resolve) => setTimeout(resolve, SIGNAL_WITHIN_MS));
    if (leaving) return;
    if (error instanceof ConfigError || error instanceof StartRefusedError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'the process could not start');
    await leave(1);
  }
}
