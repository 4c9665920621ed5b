import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { growBlocks, SlotsTakenError } from '@tidewatch/store/samples/block-rows';
import { listServices, SERVICE_ORDERS } from '@tidewatch/store/services/list';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSamples } from './testing/recount.ts';
import { type Harness, ORGANIZATION, openHarness } from './testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);

let database: TestDatabase;
let harness: Harness;

beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
  harness = await openForTest(openHarness(database.url, NOW));
});

const at = (host: string, time: number, fields: Record<string, number>) => ({
  host,
  time,
  ...metricsOf(fields),
});
const numbered = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`m${from + n}`, from + n]));

describe('slots', () => {
  it('slots are assigned for life, block by block, over transactions, rollbacks and restarts', async () => {
    await harness.send([at('web', NOW, numbered(0, 3)), at('web', NOW, numbered(0, 5))]);
    await harness.sendAndLose([at('web', NOW, { lost: 1 })]);
    await harness.send([at('web', NOW, numbered(5, 20))]);
    harness.restart();
    await harness.send([at('web', NOW, numbered(18, 40))]);
    const blocks = await harness.store.sql<
      { metrics: string[] }[]
    >`select metrics from blocks order by ordinal`;
    const names = Object.keys(numbered(0, 40));
    expect(blocks.map(({ metrics }) => metrics)).toEqual([
      names.slice(0, 16),
      names.slice(16, 32),
      names.slice(32),
    ]);
    const stored = await readSamples(harness.store.sql);
    expect(Object.fromEntries(stored.map(({ metric, value }) => [metric, value]))).toEqual(numbered(0, 40));
  });

  it('two writers never assign one slot to two metrics', async () => {
    const other = await openForTest(openHarness(database.url, NOW));
    await harness.send([at('web', NOW, { a: 1 })]);
    await other.send([at('web', NOW, { b: 2 })]);
    await expect(harness.send([at('web', NOW, { c: 3 })])).rejects.toThrow(SlotsTakenError);
    await harness.send([at('web', NOW, { c: 3 })]);
    await expect(other.send([at('web', NOW, numbered(0, 20))])).rejects.toThrow(SlotsTakenError);
    await other.send([at('web', NOW, numbered(0, 20))]);
    const stored = await readSamples(harness.store.sql);
    expect(Object.fromEntries(stored.map(({ metric, value }) => [metric, value]))).toEqual({
      a: 1,
      b: 2,
      c: 3,
      ...numbered(0, 20),
    });
  });

  it('assigning slots waits for another writer that has locked the block', async () => {
    await harness.send([at('web', NOW, { a: 1 })]);
    const { store } = harness;
    const grow = (metric: string) => [{ blockId: 1, taken: 1, metrics: [metric] }];
    const first = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const one = store.transact(async (tx) => {
      await growBlocks(tx, ORGANIZATION, grow('b'));
      first.resolve();
      await mayCommit.promise;
    });
    await first.promise;
    const two = store.transact((tx) => growBlocks(tx, ORGANIZATION, grow('c')));
    mayCommit.resolve();
    await one;
    await expect(two).rejects.toThrow(SlotsTakenError);
    const [block] = await store.sql`select metrics from blocks`;
    expect(block?.metrics).toEqual(['a', 'b']);
  });
});

describe('a new service', () => {
  it('a new service shows its latest values from its first commit on', async () => {
    harness.now = NOW + 500;
    await harness.send(
      [at('web', NOW, { cpu_percent: 41, 'a "b" \\{},c': 1 }), at('db', NOW, { memory_percent: 5 })],
      [at('web', NOW + 400, { cpu_percent: 42 }), at('web', NOW + 600_000, { cpu_percent: 99 })],
    );
    const page = { offset: 0, limit: 10, after: null };
    const byName = { ...SERVICE_ORDERS.name, descending: false };
    const { rows } = await listServices(harness.store.sql, ORGANIZATION, { tag: [] }, byName, page);
    const lastSeen = new Date(NOW + 500).toISOString();
    expect(rows).toMatchObject([
      { name: 'db', last_seen: lastSeen, metrics: { cpu_percent: null, memory_percent: 5 } },
      { name: 'web', last_seen: lastSeen, metrics: { cpu_percent: 42, memory_percent: null } },
    ]);
    const latest = await harness.store.sql`
      select m.metric, m.value, m.time from blocks b join block_latest l on l.block_id = b.id
      cross join lateral unnest(b.metrics, l.vals, l.times) as m (metric, value, time)
      where m.metric <> '' order by 1`;
    expect(latest).toEqual([
      { metric: 'a "b" \\{},c', value: 1, time: NOW },
      { metric: 'cpu_percent', value: 42, time: NOW + 400 },
      { metric: 'memory_percent', value: 5, time: NOW },
    ]);
    await harness.send([at('web', NOW + 450, { cpu_percent: 43 })]);
    await harness.writer.settle();
    const [live] = await harness.store.sql`select max(cpu_percent) as cpu from service_live`;
    expect(live?.cpu).toBe(43);
  });

  it('a new service leaves no rows when its transaction is rolled back', async () => {
    await harness.sendAndLose([at('web', NOW, { cpu_percent: 1 })]);
    await harness.writer.settle();
    const [left] = await harness.store.sql`
      select (select count(*) from service_live) + (select count(*) from block_latest) + (select count(*) from blocks) as rows`;
    expect(left?.rows).toBe(0);
    await harness.send([at('web', NOW - 1_000, { cpu_percent: 2 })]);
    const [live] = await harness.store.sql`select cpu_percent from service_live`;
    expect(live?.cpu_percent).toBe(2);
  });
});
