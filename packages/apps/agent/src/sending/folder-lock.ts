import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';

const SOCKET = /^agent-[\w-]+\.socket$/;
/** Addresses of unix sockets have at most 107 bytes, on macOS 103. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const CONNECT_TIMEOUT_MS = 2_000;
/** A folder in which no socket can be made now is used nevertheless: an agent has to report a full disk. */
const TAKES_NO_FILE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EOPNOTSUPP', 'EPERM', 'EACCES']);

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only agent that uses `folder`, which is created if needed: it listens on a unix socket there. The kernel
 * ends that with the process, however that ends, and a socket that nobody listens on is removed. `unique` names this process, in
 * letters, digits and hyphens. Each agent listens before it looks for others, so that of two that start at once at least one sees
 * the other. Throws a ConfigError where another agent uses the folder, or where it cannot be used.
 */
export async function lockFolder(folder: string, unique: string, logger: Logger): Promise<FolderLock> {
  if (process.platform === 'win32') return lockByPipe(folder);
  const name = `agent-${unique}.socket`;
  const path = join(folder, name);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    const allowed = MAX_PATH_BYTES - name.length - 1;
    throw new ConfigError(`--buffer-dir ${folder} is not usable: its path may have at most ${allowed} bytes`);
  }
  makeFolder(folder);
  const server = await listenOn(path).catch((error) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!TAKES_NO_FILE.has(code)) throw notUsable(folder, error);
    logger.warn({ folder, code }, 'could not lock the buffer folder; another agent in it is not noticed');
    return undefined;
  });
  const release = () => closed(server);
  if (await isUsedByOthers(folder, name)) {
    await release();
    throw usedByAnother(folder);
  }
  return { release };
}

/** The lock on Windows: of all processes one alone can listen on the pipe of the folder, which ends with the process. */
async function lockByPipe(folder: string): Promise<FolderLock> {
  makeFolder(folder);
  const { pipeOf } = await import('./folder-pipe.ts');
  const pipe = pipeOf(folder, process.cwd());
  // Wine lets several processes listen on a pipe.
  if (await isListening(pipe)) throw usedByAnother(folder);
  const server = await listenOn(pipe).catch((error) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? usedByAnother(folder)
      : notUsable(folder, error);
  });
  return { release: () => closed(server) };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notUsable(folder, error);
  }
}

function closed(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => (server ? void server.close(() => resolve()) : resolve()));
}

function usedByAnother(folder: string): ConfigError {
  return new ConfigError(
    `--buffer-dir ${folder} is used by another agent that runs: end it, or give each agent a folder of its own`,
  );
}

function notUsable(folder: string, error: unknown): ConfigError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError(`--buffer-dir ${folder} is not usable: ${code}`);
}

/** Whether another process listens in the folder. Removes sockets on which none does. */
async function isUsedByOthers(folder: string, own: string): Promise<boolean> {
  for (const name of readdirSync(folder).filter((file) => SOCKET.test(file) && file !== own)) {
    const path = join(folder, name);
    if (await isListening(path)) return true;
    try {
      rmSync(path, { force: true });
    } catch {
      // It stays where nothing can be written; nobody listens on it.
    }
  }
  return false;
}

/** Everybody who can see the folder may connect, so that an agent of another user is found too. */
function listenOn(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server.unref()));
  });
}

/** Whether a process listens there; one that does not answer in time does. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code !== 'ECONNREFUSED' && code !== 'ENOENT' && code !== 'ENOTSOCK'),
    );
  });
}
