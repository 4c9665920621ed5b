import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { PostgresUnusableError } from './unusable.ts';

/** The content of a postmaster's pid file. `startedAt` is in whole seconds since the epoch, as text. */
export interface PidFile {
  pid: number;
  startedAt: string;
  status: string;
  /** The lock file of its unix socket; null if it does not listen on one. */
  socketLock: string | null;
}

/** Reads `postmaster.pid` of a cluster; null if there is none. */
export function readPidFile(cluster: string): PidFile | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const [port, socketFolder] = [(lines[3] ?? '').trim(), (lines[4] ?? '').trim()];
    const socketLock = socketFolder.startsWith('/') ? join(socketFolder, `.s.PGSQL.${port}.lock`) : null;
    return pid > 0 ? { pid, startedAt: lines[2] ?? '', status: (lines[7] ?? '').trim(), socketLock } : null;
  } catch {
    return null;
  }
}

/**
 * The processes whose working directory is the cluster's folder, as it is for all processes of its server. Needs Linux's
 * /proc; otherwise empty.
 */
export function serverProcesses(cluster: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  const folder = realpathSync(cluster);
  return entries
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The max time to wait for the end of a server that this process cannot see, such as one in another PID namespace, ms. */
const UNSEEN_SERVER_MS = MINUTE_MS;

/** Waits until nothing answers at the socket of a server whose processes are not visible here. */
async function awaitUnseen(socketLock: string): Promise<void> {
  const socket = socketLock.replace(/\.lock$/, '');
  const deadline = performance.now() + UNSEEN_SERVER_MS;
  while (await accepts(socket)) {
    if (performance.now() > deadline) {
      throw new PostgresUnusableError(
        `A PostgreSQL server that this process cannot see, in another container for instance, still answers at ${socket}. Stop it first.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const finish = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    connection.once('connect', () => finish(true));
    connection.once('error', () => finish(false));
  });
}

/**
 * Ends the server that a killed copy has left behind, and removes its lock files: their pid may belong to another program
 * by now, and PostgreSQL would refuse to start.
 */
export async function endOrphan(cluster: string): Promise<boolean> {
  const file = readPidFile(cluster);
  if (!file) {
    return false;
  }
  const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
  let found = false;
  for (const signal of signals) {
    const deadline = performance.now() + 8_000;
    let running = serverProcesses(cluster);
    if (running.length === 0) {
      break;
    }
    found = true;
    kill(running.includes(file.pid) ? [file.pid] : running, signal);
    while (running.length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      running = serverProcesses(cluster);
    }
  }
  if (!found && file.socketLock !== null) await awaitUnseen(file.socketLock);
  if (process.platform === 'linux') {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    if (file.socketLock !== null) rmSync(file.socketLock, { force: true });
  }
  return found;
}

function kill(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended since it was listed.
    }
  }
}
