import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** The range of ports is below the system's ephemeral ports, which outgoing connections may take. */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES = 100;

/**
 * A free port of 127.0.0.1 that no other call, also in other processes, returns until this process ends. Programs that
 * choose ports in other ways may still take it. Rejects if a hundred random ports are all in use.
 */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    const release = await claim(port);
    if (release === null) continue;
    if (await isFree(port)) return port;
    release();
  }
  throw new Error(`no port between ${LOWEST} and ${HIGHEST} is free`);
}

/** Marks a port as reserved by binding the UDP port with the same number, which no part uses. */
function claim(port: number): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const sign = createSocket('udp4').once('error', () => {
      sign.close();
      resolve(null);
    });
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      sign.unref();
      resolve(() => sign.close());
    });
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
