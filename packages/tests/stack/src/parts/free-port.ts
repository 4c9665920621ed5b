import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral ports of the system, one of which an outgoing connection could take before the port is used. */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES = 100;

/**
 * A free port of 127.0.0.1. Until this process ends, no other call in this or another process returns it; a program
 * that chooses its ports in another way may still take it first. Rejects where a hundred at random are all taken.
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

/** Binds the UDP port of the same number, which no part uses, to mark the port as reserved. */
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
