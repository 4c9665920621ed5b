import { expect, test } from 'vitest';
import { LiveReads } from './live-reads.ts';

test('the first read after a minute without any waits for what is held back, and so do reads beside it', async () => {
  let now = 0;
  const reads = new LiveReads(() => now);
  const writes: (() => void)[] = [];
  reads.serve(() => new Promise((resolve) => writes.push(resolve)));
  expect(reads.isWatched).toBe(false);
  const done: string[] = [];
  const both = ['first', 'second'].map((name) => reads.beforeRead().then(() => done.push(name)));
  expect([writes.length, reads.isWatched]).toEqual([1, true]);
  await new Promise(setImmediate);
  expect(done).toEqual([]);
  writes[0]?.();
  await Promise.all(both);
  now = 59_999;
  await reads.beforeRead();
  now += 59_999;
  await reads.beforeRead();
  expect(writes.length).toBe(1);
  now += 60_000;
  expect(reads.isWatched).toBe(false);
  const next = reads.beforeRead();
  expect(writes.length).toBe(2);
  writes[1]?.();
  await next;
});

test('a read goes on where the rows cannot be written', async () => {
  const reads = new LiveReads();
  reads.serve(() => Promise.reject(new Error('no database')));
  await expect(reads.beforeRead()).resolves.toBeUndefined();
});
