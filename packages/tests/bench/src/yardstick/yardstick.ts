import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Yardstick, YardstickOrder } from './messages.ts';

export function meanOf(one: Yardstick, other: Yardstick): Yardstick {
  const mean = (figure: 'parse' | 'copy' | 'total') => (one[figure] + other[figure]) / 2;
  return { parse: mean('parse'), copy: mean('copy'), total: mean('total'), samples: one.samples };
}

/** Measures in a separate process with an empty heap. */
export function measureYardstick(order: YardstickOrder): Promise<Yardstick> {
  const file = fileURLToPath(new URL('./measure-yardstick.ts', import.meta.url));
  const child = fork(file, { serialization: 'json', execArgv: ['--expose-gc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (yardstick: Yardstick) => resolve(yardstick));
    child.once('exit', (code) => reject(new Error(`the yardstick ended with ${code} before its result`)));
    child.send(order);
  });
}
