import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Standing } from './log-position.ts';
import { createOffsetHints } from './offset-hints.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function standing(partition: number, next: bigint): Standing {
  return { partition, epoch: 1, next, mark: null, verify: null };
}

function open() {
  const committed: [partition: number, offset: string][][] = [];
  const at = { standings: [standing(0, 5n), standing(1, 7n)], fails: false };
  const hints = createOffsetHints(
    {
      async commitOffsets(positions) {
        if (at.fails) throw new Error('the group is rebalancing');
        committed.push(positions.map(({ partition, offset }) => [partition, offset]));
      },
    },
    'samples',
    () => at.standings,
  );
  hints.start();
  return { hints, committed, at };
}

it('offset hints are committed every five seconds for the offsets that have moved', async () => {
  const { committed, at } = open();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(committed).toEqual([
    [
      [0, '5'],
      [1, '7'],
    ],
  ]);
  at.standings = [standing(0, 5n), standing(1, 9n)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(committed.at(-1)).toEqual([[1, '9']]);
});

it('all offset hints are committed again after a minute, and after a rebalance of the group', async () => {
  const { hints, committed } = open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(committed).toHaveLength(2);
  hints.forget();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(committed).toHaveLength(3);
});

it('offset hints retry a refused commit, and commit nothing while no partition is owned', async () => {
  const { committed, at } = open();
  at.fails = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(committed).toEqual([]);
  at.fails = false;
  at.standings = [];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(committed).toEqual([]);
  at.standings = [standing(3, 1n)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(committed).toEqual([[[3, '1']]]);
});

it('offset hints are committed a last time when the consumer stops, and not after that', async () => {
  const { hints, committed } = open();
  await hints.stop();
  expect(committed).toEqual([
    [
      [0, '5'],
      [1, '7'],
    ],
  ]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(committed).toHaveLength(1);
});

it('offset hints stop within a second although Kafka does not answer', async () => {
  const hints = createOffsetHints({ commitOffsets: () => new Promise(() => undefined) }, 'samples', () => [
    standing(0, 1n),
  ]);
  const stopped = hints.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(stopped).resolves.toBeUndefined();
});
