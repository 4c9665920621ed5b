import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until `is` returns true; returns the seconds. Throws after `withinMs`. */
export async function waitFor(
  what: string,
  withinMs: number,
  is: () => boolean | Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  while (!(await is())) {
    if (performance.now() - began > withinMs)
      throw new Error(`timeout: not within ${withinMs / 1_000} s: ${what}`);
    await sleep(50);
  }
  return (performance.now() - began) / 1_000;
}

/** Waits for `work`, and throws if it takes longer than `withinMs`. */
export async function within<T>(what: string, withinMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`timeout: not within ${withinMs / 1_000} s: ${what}`)),
      withinMs,
    );
  });
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer));
}
