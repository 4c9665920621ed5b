import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, test } from 'vitest';
import { compareConsumers } from './compare-consumers.ts';
import { createConsumerOffsets } from './consumer-offsets.ts';
import { type ConsumerRest, countRests } from './consumer-rests.ts';

const store = await storeForFile({ as: 'product' });

describe('rests of records that were processed in part', () => {
  const rest = (partition: number, seq: number, text: string): ConsumerRest => ({
    partition,
    seq,
    offset: 7_000_000_000n + BigInt(seq),
    publishedAt: 1_795_700_000_123,
    value: Buffer.from(text),
  });

  test('are stored in order, replaced and deleted, and rolled back with the transaction', async () => {
    const offsets = createConsumerOffsets(store.sql);
    const read = () => offsets.rests('evaluator', 'rests', [1, 2]);
    await store.transact((tx) =>
      offsets.leave(tx, 'evaluator', 'rests', [], [rest(2, 1, 'x'), rest(1, 2, 'b'), rest(1, 1, 'a')]),
    );
    expect(await read()).toEqual([rest(1, 1, 'a'), rest(1, 2, 'b'), rest(2, 1, 'x')]);
    expect(await offsets.rests('writer', 'rests', [1, 2])).toEqual([]);
    const rolledBack = store.transact(async (tx) => {
      await offsets.leave(tx, 'evaluator', 'rests', [{ partition: 1, seq: 1 }], []);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await store.transact((tx) =>
      offsets.leave(tx, 'evaluator', 'rests', [{ partition: 1, seq: 1 }], [rest(1, 2, 'less of b')]),
    );
    expect(await read()).toEqual([rest(1, 2, 'less of b'), rest(2, 1, 'x')]);
    expect(await countRests(store.sql, 'evaluator', 'rests')).toBe(2);
  });

  test('make the other consumer count as ahead, although the positions are equal', async () => {
    const offsets = createConsumerOffsets(store.sql);
    for (const consumer of ['writer', 'evaluator']) {
      await offsets.claim(consumer, 'compared', [1, 2]);
      const moves = [1, 2].map((partition) => ({ partition, epoch: 1, from: 0n, to: 1n, fingerprints: [9] }));
      await store.transact((tx) => offsets.advance(tx, consumer, 'compared', moves));
    }
    const compare = async () => {
      const { ahead, behind } = await compareConsumers(store.sql, 'writer', 'evaluator');
      return [ahead.has(1), behind.has(1)];
    };
    await store.sql`delete from consumer_rests`;
    expect(await compare()).toEqual([false, false]);
    await store.transact((tx) => offsets.leave(tx, 'evaluator', 'compared', [], [rest(1, 1, 'a')]));
    expect(await compare()).toEqual([true, false]);
  });
});
