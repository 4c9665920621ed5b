import { once } from 'node:events';
import { startDatabase, type TestDatabase } from '@tidewatch/testkit/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '../connection.ts';
import { createConsumerOffsets } from './consumer-offsets.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await startDatabase();
  store = openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.close();
});

test('partitions that a transaction is moving are not held, and not waited for', async () => {
  const offsets = createConsumerOffsets(store.sql);
  const [one, two] = await offsets.claim('evaluator', 'topic', [1, 2]);
  const held = [one, two].map((position) => ({ partition: position?.partition ?? 0, epoch: 1 }));
  const hold = () => store.transact((tx) => offsets.hold(tx, 'evaluator', 'topic', held));
  const move = { partition: 2, epoch: 1, from: 0n, to: 5n, fingerprint: 7 };
  const during = await store.transact(async (tx) => {
    expect(await offsets.advance(tx, 'evaluator', 'topic', [move])).toEqual([]);
    return hold();
  });
  expect([during, await hold()]).toEqual([[2], []]);
  await offsets.claim('evaluator', 'topic', [1]);
  expect(await hold()).toEqual([1]);
});

test('where a partition stands is told once the transaction that moves it has ended', async () => {
  const offsets = createConsumerOffsets(store.sql);
  await offsets.claim('writer', 'topic', [1]);
  const move = { partition: 1, epoch: 1, from: 0n, to: 5n, fingerprint: 7 };
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
  const move = { partition: 1, epoch: 1, from: 0n, to: 5n, fingerprint: 7 };
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
