import { once } from 'node:events';
import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, test } from 'vitest';
import { createConsumerOffsets } from './consumer-offsets.ts';

const store = await storeForFile({ as: 'product' });

test('hold returns partitions that a transaction is moving at once, without locking them', async () => {
  const offsets = createConsumerOffsets(store.sql);
  const [one, two] = await offsets.claim('evaluator', 'topic', [1, 2]);
  const held = [one, two].map((position) => ({ partition: position?.partition ?? 0, epoch: 1 }));
  const hold = () => store.transact((tx) => offsets.hold(tx, 'evaluator', 'topic', held));
  const move = { partition: 2, epoch: 1, from: 0n, to: 5n, fingerprints: [3, 4, 5, 6, 7] };
  const during = await store.transact(async (tx) => {
    expect(await offsets.advance(tx, 'evaluator', 'topic', [move])).toEqual([]);
    return hold();
  });
  expect([during, await hold()]).toEqual([[2], []]);
  await offsets.claim('evaluator', 'topic', [1]);
  expect(await hold()).toEqual([1]);
});

test('the position of a partition is returned only once the transaction that moves it has ended', async () => {
  const offsets = createConsumerOffsets(store.sql);
  await offsets.claim('writer', 'topic', [1]);
  const move = { partition: 1, epoch: 1, from: 0n, to: 5n, fingerprints: [3, 4, 5, 6, 7] };
  let reading: ReturnType<typeof offsets.read> | undefined;
  await store.transact(async (tx) => {
    await offsets.advance(tx, 'writer', 'topic', [move]);
    reading = offsets.read('writer', 'topic', [1]);
    await expect
      .poll(
        () =>
          store.sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1);
  });
  expect(await reading).toEqual([{ partition: 1, epoch: 1, nextOffset: 5n, fingerprint: 7 }]);
});

test('a partition whose owner is frozen in the middle of a COPY is taken over', async () => {
  const offsets = createConsumerOffsets(store.sql);
  await offsets.claim('writer', 'copied', [1]);
  const move = { partition: 1, epoch: 1, from: 0n, to: 5n, fingerprints: [3, 4, 5, 6, 7] };
  const { promise: copying, resolve: begun } = Promise.withResolvers<void>();
  const frozen = store.transact(async (tx) => {
    await offsets.advance(tx, 'writer', 'copied', [move]);
    const rows = await tx`copy consumer_offsets from stdin`.writable();
    begun();
    await once(rows, 'close');
  });
  await Promise.race([copying, frozen]);
  expect(await offsets.claim('writer', 'copied', [1])).toEqual([
    { partition: 1, epoch: 2, nextOffset: null, fingerprint: null },
  ]);
  await expect(frozen).rejects.toThrow();
});

describe('checkpoints of applied records', () => {
  const topic = 'checked';
  const fingerprint = (offset: number) => 4_000_000_000 + offset;
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const moveOf = (epoch: number, from: number, to: number) => ({
    partition: 1,
    epoch,
    from: BigInt(from),
    to: BigInt(to),
    fingerprints: range(from, to).map(fingerprint),
  });
  const advance = (consumer: string, epoch: number, from: number, to: number) =>
    store.transact((tx) =>
      createConsumerOffsets(store.sql).advance(tx, consumer, topic, [moveOf(epoch, from, to)]),
    );

  test.each([
    ['of a few records', [0, 3, 4], 0],
    ['from the middle of a topic on', [1_000, 1_003], 1_000],
    ['of moves that cross slots', [250, 260, 1_000, 1_024, 1_025], 250],
    ['of the newest records of many', [0, 5_000, 9_000], 5_160],
    ['of the newest records of one large move', [0, 10_000], 6_160],
  ])('reach up to the position: %s', async (name, stops, first) => {
    const offsets = createConsumerOffsets(store.sql);
    await offsets.claim(name, topic, [1]);
    for (const [index, to] of stops.slice(1).entries())
      expect(await advance(name, 1, stops[index] ?? 0, to)).toEqual([]);
    const found = await offsets.checkpoints(name, topic, 1);
    expect(found.first).toBe(BigInt(first));
    expect(found.fingerprints).toEqual(range(first, stops.at(-1) ?? 0).map(fingerprint));
  });

  test('are empty for a partition of which nothing was read', async () => {
    const offsets = createConsumerOffsets(store.sql);
    await offsets.claim('nobody', topic, [1]);
    expect(await offsets.checkpoints('nobody', topic, 1)).toEqual({ first: 0n, fingerprints: [] });
  });

  test('are not changed when a consumer moves its position by zero records, which only locks the row of the partition', async () => {
    const offsets = createConsumerOffsets(store.sql);
    await offsets.claim('kept', topic, [1]);
    await advance('kept', 1, 0, 100);
    expect(await advance('kept', 1, 100, 100)).toEqual([]);
    expect(await advance('kept', 1, 99, 99)).toEqual([1]);
    const [position] = await offsets.read('kept', topic, [1]);
    expect(position).toEqual({ partition: 1, epoch: 1, nextOffset: 100n, fingerprint: fingerprint(99) });
    const { fingerprints } = await offsets.checkpoints('kept', topic, 1);
    expect(fingerprints).toEqual(range(0, 100).map(fingerprint));
  });

  test('end at the offset to which a partition was moved back, and continue from there', async () => {
    const offsets = createConsumerOffsets(store.sql);
    await offsets.claim('back', topic, [1]);
    await advance('back', 1, 0, 1_000);
    const rewind = { partition: 1, epoch: 1, from: 1_000n, to: 500n, fingerprint: fingerprint(499) };
    expect(await offsets.rewind('back', topic, rewind)).toBe(2);
    expect(await offsets.checkpoints('back', topic, 1)).toEqual({
      first: 0n,
      fingerprints: range(0, 500).map(fingerprint),
    });
    expect(await advance('back', 2, 500, 800)).toEqual([]);
    expect((await offsets.checkpoints('back', topic, 1)).fingerprints).toEqual(
      range(0, 800).map(fingerprint),
    );
  });

  test('allow a partition to be moved back once, by its owner and from its position, after which no earlier transaction can move it', async () => {
    const offsets = createConsumerOffsets(store.sql);
    await offsets.claim('once', topic, [1]);
    await advance('once', 1, 0, 10);
    const rewind = { partition: 1, epoch: 1, from: 10n, to: 5n, fingerprint: fingerprint(4) };
    expect(await offsets.rewind('once', topic, { ...rewind, epoch: 7 })).toBeNull();
    expect(await offsets.rewind('once', topic, { ...rewind, from: 9n })).toBeNull();
    expect(await offsets.rewind('once', topic, rewind)).toBe(2);
    expect(await offsets.rewind('once', topic, rewind)).toBe(2);
    expect(await advance('once', 1, 5, 8)).toEqual([1]);
    await offsets.claim('once', topic, [1]);
    expect(await offsets.rewind('once', topic, rewind)).toBeNull();
    expect(await offsets.read('once', topic, [1])).toEqual([
      { partition: 1, epoch: 3, nextOffset: 5n, fingerprint: fingerprint(4) },
    ]);
  });
});
