import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SealFigures, SealOrder } from './messages.ts';

/**
 * Seals what the product's log holds, closes the days that may be closed and drops their chunks, by the functions of the writer's jobs,
 * which do the same within some minutes and, for chunks, an hour. In a separate process, whose compilation counts too.
 */
export function sealStorage(order: SealOrder): Promise<SealFigures> {
  const child = fork(fileURLToPath(new URL('./seal-in-process.ts', import.meta.url)), {
    serialization: 'json',
  });
  return new Promise((resolve, reject) => {
    child.once('message', (figures: SealFigures) => resolve(figures));
    child.once('exit', (code) =>
      reject(new Error(`the process that seals ended with ${code} before its result`)),
    );
    child.send(order);
  });
}
