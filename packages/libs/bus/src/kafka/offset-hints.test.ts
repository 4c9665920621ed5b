import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Standing } from './log-position.ts';
import { createOffsetHints } from './offset-hints.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function standing(partition: number, next: bigint): Standing {
  return { partition, epoch: 1, next, mark: null, verify: null };
}

function open() {
  const told: [partition: number, offset: string][][] = [];
  const at = { standings: [standing(0, 5n), standing(1, 7n)], fails: false };
  const hints = createOffsetHints(
    {
      async commitOffsets(positions) {
        if (at.fails) throw new Error('the group is being rearranged');
        told.push(positions.map(({ partition, offset }) => [partition, offset]));
      },
    },
    'samples',
    () => at.standings,
  );
  hints.start();
  return { hints, told, at };
}

it('tells every five seconds what has moved since', async () => {
  const { told, at } = open();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(told).toEqual([
    [
      [0, '5'],
      [1, '7'],
    ],
  ]);
  at.standings = [standing(0, 5n), standing(1, 9n)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told.at(-1)).toEqual([[1, '9']]);
});

it('tells all again after a minute, and after the group was rearranged', async () => {
  const { hints, told } = open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(2);
  hints.forget();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toHaveLength(3);
});

it('tries again what was refused, and nothing while no partition is ours', async () => {
  const { told, at } = open();
  at.fails = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
  at.fails = false;
  at.standings = [];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
  at.standings = [standing(3, 1n)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([[[3, '1']]]);
});

it('tells a last time when it stops, and not after that', async () => {
  const { hints, told } = open();
  await hints.stop();
  expect(told).toEqual([
    [
      [0, '5'],
      [1, '7'],
    ],
  ]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(told).toHaveLength(1);
});

it('does not wait for an answer that does not come when it stops', async () => {
  const hints = createOffsetHints({ commitOffsets: () => new Promise(() => undefined) }, 'samples', () => [
    standing(0, 1n),
  ]);
  const stopped = hints.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(stopped).resolves.toBeUndefined();
});
