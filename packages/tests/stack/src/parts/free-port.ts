import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below what systems give to connections that programs open: one of these may take its port in the moment before it is used. */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES = 100;

/**
 * A port of 127.0.0.1 that nobody listens on now. Until this process ends, no other call in this or another process answers
 * it; a program that chooses its ports in another way may still take it first. Rejects where a hundred at random are all taken.
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

/** Holds the UDP port of the same number, which none of the parts listens on, as the sign that the port is given away. */
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
