import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give to connections that programs open: one of these may take its port in the moment before it is used. */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES = 100;

/**
 * A port of 127.0.0.1 that nobody listens on now; another program may still take it first. Rejects where a hundred at random
 * are all taken.
 */
export async function freePort(): Promise<number> {
  for (let left = TRIES; left > 0; left -= 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port between ${LOWEST} and ${HIGHEST} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
