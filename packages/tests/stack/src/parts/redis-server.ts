import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import { freePort } from './free-port.ts';
import { type NativeProcess, startNative } from './native-process.ts';

export interface RedisServer extends NativeProcess {
  /** The URL of the server, such as `redis://:password@127.0.0.1:40124`. */
  url: string;
}

/** Finds `valkey-server` or `redis-server` on PATH; returns its version line too, or null. */
export function findRedis(): { command: string; version: string } | null {
  for (const command of ['valkey-server', 'redis-server']) {
    const asked = spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 10_000 });
    if (asked.status === 0) return { command, version: asked.stdout.trim() };
  }
  return null;
}

/** Starts Redis or Valkey on 127.0.0.1 with a password and without data files; `home` contains its log. */
export async function startRedis(options: {
  command: string;
  home: string;
  port?: number;
  password?: string;
  leaving?: AbortSignal;
}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const password = options.password ?? randomBytes(16).toString('hex');
  makeFolder(options.home, 0o700);
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: options.home,
    // Keeps the folder on the command line, by which a later start recognizes a server that was left running.
    'set-proc-title': 'no',
    save: '',
    appendonly: 'no',
    maxmemory: '64mb',
    'maxmemory-policy': 'allkeys-lru',
  };
  // The password is in a private file, because every user of the machine can see command lines.
  const file = join(options.home, 'redis.conf');
  writeFileSync(file, `requirepass ${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  const server = await startNative({
    name: options.command,
    command: options.command,
    args: [file, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    log: join(options.home, 'redis.log'),
    ownGroup: true,
    leaving: options.leaving,
    startWithinMs: MINUTE_MS,
    ready: () => pings(port, password),
  });
  return { ...server, url: `redis://:${password}@127.0.0.1:${port}` };
}

function pings(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    let received = '';
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.includes('+PONG')) answer(true);
      else if (received.includes('-LOADING')) answer(false);
    });
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
