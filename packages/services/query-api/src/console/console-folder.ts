import { readFile } from 'node:fs/promises';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type BuiltConsole, readBuiltConsole } from './built-console.ts';

/**
 * preparing → ready, or preparing → failed → ready.
 * A build appears by one rename. A build that failed leaves `<folder>.failed` with its reason; a later one that succeeds
 * is served without a restart.
 */
export type ConsoleState =
  | { kind: 'preparing' }
  | { kind: 'failed'; reason: string }
  | { kind: 'ready'; console: BuiltConsole };

export interface ConsoleFolder {
  state(): ConsoleState;
  /** Reads the folder, and then every second until the console is ready. */
  start(): Promise<void>;
  stop(): void;
}

export const BUILD_COMMAND = 'npm run console:build';
const LOOK_EVERY_MS = 1_000;
/** The end of the output of a failed build that the page shows. */
const MAX_REASON_CHARACTERS = 4_000;

/** Watches the folder in which the build of the console appears. */
export function openConsoleFolder(folder: string, logger: Logger): ConsoleFolder {
  let state: ConsoleState = { kind: 'preparing' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const next = await read(folder);
    if (next.kind !== state.kind) report(next);
    state = next;
    if (state.kind === 'ready' || isStopped) return;
    timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    timer.unref();
  }

  function report(next: ConsoleState): void {
    if (next.kind === 'failed')
      logger.warn(
        { folder, reason: next.reason, command: BUILD_COMMAND },
        'the build of the console failed; the API is not affected',
      );
    else if (next.kind === 'ready') logger.info({ folder }, 'the console is served');
  }

  return {
    state: () => state,
    async start() {
      await look();
      if (state.kind === 'preparing') logger.info({ folder }, 'waiting for the build of the console');
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function read(folder: string): Promise<ConsoleState> {
  try {
    const console = await readBuiltConsole(folder);
    if (console !== undefined) return { kind: 'ready', console };
    const reason = await readFile(`${folder}.failed`, 'utf8').catch(() => undefined);
    if (reason === undefined) return { kind: 'preparing' };
    return { kind: 'failed', reason: reason.slice(-MAX_REASON_CHARACTERS) };
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message };
  }
}
