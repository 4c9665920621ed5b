import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Identity, SERVER_ENVIRONMENT } from './identity.ts';
import { readPidFile } from './pid-file.ts';
import { PostgresUnusableError } from './unusable.ts';

/** A running PostgreSQL server that ends with this process. */
export interface ServerProcess {
  pid: number;
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>;
  /** Shuts the server down (fast: rolls back open transactions and writes a checkpoint); immediately after `patienceMs`. */
  stop(patienceMs?: number): Promise<void>;
}

/** Receives a line of PostgreSQL's log with the level that it maps to. */
export type LogLine = (level: 'debug' | 'warn' | 'error', text: string, fields?: { err: unknown }) => void;

// A shell that shuts PostgreSQL down once its standard input is closed, because this process has ended. Its own session
// lets it survive a kill of this process group.
const KEEPER = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -INT $server ) 2>/dev/null &
watcher=$!
exec 3<&-
wait $server
status=$?
kill $watcher 2>/dev/null
exit $status`;

const LEVELS: Record<string, 'debug' | 'warn' | 'error'> = {
  WARNING: 'warn',
  ERROR: 'debug', // the client of the statement receives it and logs it
  FATAL: 'warn',
  PANIC: 'error',
};

/** Starts `postgres` on a cluster; resolves when it accepts connections, and rejects with the end of its log. */
export async function startServer(
  program: string,
  cluster: string,
  identity: Identity,
  log: LogLine,
): Promise<ServerProcess> {
  const before = readPidFile(cluster);
  const command = [...identity.prefix, '/bin/sh', '-c', KEEPER, 'keeper', program, '-D', cluster];
  const child = spawn(command[0] as string, command.slice(1), {
    ...identity.spawn,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: SERVER_ENVIRONMENT,
  });
  const tail = forwardLog(child, log);
  let alive = true;
  const ended = new Promise<void>((resolve) => {
    const finish = () => {
      alive = false;
      resolve();
    };
    child.once('exit', finish);
    child.once('error', (error) => {
      tail.push(error.message);
      finish();
    });
  });
  child.stdin?.on('error', () => {}); // it ended first, which `ended` reports

  const deadline = performance.now() + 60_000;
  for (;;) {
    const file = readPidFile(cluster);
    const fresh = file && (file.pid !== before?.pid || file.startedAt !== before.startedAt);
    if (fresh && file.status === 'ready') {
      return {
        pid: file.pid,
        ended,
        stop: (patienceMs = 5_000) => stop(child, file.pid, ended, () => alive, patienceMs),
      };
    }
    if (!alive || performance.now() > deadline) {
      child.stdin?.destroy();
      throw new PostgresUnusableError(`PostgreSQL did not start:\n${tail.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

async function stop(
  child: ChildProcess,
  pid: number,
  ended: Promise<void>,
  alive: () => boolean,
  patienceMs: number,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (alive()) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has just ended by itself.
      }
      const timer = new AbortController();
      await Promise.race([ended, sleep(patienceMs, timer.signal)]);
      timer.abort();
    }
  }
  child.stdin?.destroy();
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

function forwardLog(child: ChildProcess, log: LogLine): string[] {
  const tail: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) {
        tail.shift();
      }
      const severity = /\b(LOG|WARNING|ERROR|FATAL|PANIC):/.exec(line)?.[1];
      log(LEVELS[severity ?? ''] ?? 'debug', line);
    });
  }
  return tail;
}
