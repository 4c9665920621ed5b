import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { countLargestHost } from '@tidewatch/store/parts/largest-host';
import { exportParts } from '@tidewatch/store/parts/list';
import { partOrder } from '@tidewatch/store/parts/part-order';
import { removeDeadBlocks } from '@tidewatch/store/retention/dead-blocks';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { countActiveSeries, findKnownParts } from '@tidewatch/store/series/active-series';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Harness, ORGANIZATION, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 28, 12, 0, 30);

let opened: TestStore;
let harness: Harness;

beforeEach(async () => {
  opened = await storeForTest({ sampleLayout: 'log' });
  harness = await openForTest(openHarness(opened.database.url, NOW));
});

/** A payload with `used_percent` of filesystems by their names. */
function at(time: number, used: Readonly<Record<string, number>>, host = 'web-01'): Payload {
  const names = Object.keys(used);
  const shape = shapeOf({
    kinds: names.map(() => 'filesystem'),
    names,
    labels: names.map(() => null),
    metrics: names.map(() => 'used_percent'),
    ends: names.map((_, index) => index + 1),
  });
  return { host, time, metrics: [], values: [], parts: { shape, values: Object.values(used) } };
}

/** Names of parts with their values and the minutes of their last samples, by value or by last seen, the highest first. */
async function listed(by: 'value' | 'last_seen' = 'value') {
  const sort =
    by === 'value'
      ? ({ metric: 'used_percent', descending: true } as const)
      : ({ field: 'last_seen', descending: true } as const);
  return await harness.store.transact(async (tx) => {
    const parts = [];
    for await (const rows of exportParts(
      tx,
      ORGANIZATION,
      { tag: [], label: [] },
      partOrder(sort, 'filesystem'),
    ))
      parts.push(...rows);
    return parts.map(({ name, metrics, time }) => [
      name,
      metrics['used_percent'],
      (Date.parse(time) - NOW) / MINUTE_MS,
    ]);
  });
}

/** Writes live rows without a seal. */
async function flush() {
  const { writer } = harness;
  await writer.stop();
}

const seal = () => new Sealer({ sql: harness.store.sql, clock: () => harness.now }).sealAll();
const liveRows = () => harness.store.sql`select service_id from parts_live`;

describe('lists of parts of a database that keeps samples as a log', () => {
  it('have values and new parts of a host before they are sealed, in both orders', async () => {
    await harness.send([at(NOW, { '/': 10, '/a': 20 })]);
    expect(await listed()).toEqual([
      ['/a', 20, 0],
      ['/', 10, 0],
    ]);
    await harness.send([at(NOW + MINUTE_MS, { '/': 30, '/new': 25 })]);
    await flush();
    const expected = [
      ['/', 30, 1],
      ['/new', 25, 1],
      ['/a', 20, 0],
    ];
    expect(await listed()).toEqual(expected);
    expect((await listed('last_seen')).map(([name]) => name)).toEqual(['/new', '/', '/a']);
    expect(await harness.store.sql`select from sample_chunks`).toHaveLength(0);
    await seal();
    expect(await listed()).toEqual(expected);
  });

  it('count series of new parts before they are sealed', async () => {
    await harness.send([at(NOW, { '/': 10 })]);
    await harness.send([at(NOW + MINUTE_MS, { '/': 30, '/new': 25 })]);
    await flush();
    const { sql } = harness.store;
    expect(await countLargestHost(sql, ORGANIZATION, NOW + MINUTE_MS)).toEqual({ parts: 2, series: 2 });
    const counted = await harness.store.transact(async (tx) => {
      await tx`select set_config('tidewatch.organization', ${ORGANIZATION}, true)`;
      return [
        await countActiveSeries(tx, ORGANIZATION, NOW - DAY_MS),
        (await findKnownParts(tx, ORGANIZATION, ['web-01'], NOW - DAY_MS)).length,
      ];
    });
    expect(counted).toEqual([2, 2]);
  });

  it('keep values of parts that stay away, over a rollback and a new writer', async () => {
    await harness.send([at(NOW, { '/': 10, '/a': 20, '/b': 5 })]);
    await harness.send([at(NOW + MINUTE_MS, { '/': 11, '/a': 21 })]);
    await harness.sendAndLose([at(NOW + 2 * MINUTE_MS, { '/': 99 })]);
    await harness.send([at(NOW + 3 * MINUTE_MS, { '/': 12 })]);
    await flush();
    harness.restart();
    await harness.send([at(NOW + 4 * MINUTE_MS, { '/': 13, '/c': 1 }), at(NOW + 2 * DAY_MS, { '/': 98 })]);
    await flush();
    expect(await listed()).toEqual([
      ['/a', 21, 1],
      ['/', 13, 4],
      ['/b', 5, 0],
      ['/c', 1, 4],
    ]);
  });

  it('have the values of the next seal where a writer was killed before it wrote them', async () => {
    await harness.send([at(NOW, { '/': 10 })], [at(NOW, { '/': 10 }, 'web-02')]);
    await flush();
    await harness.send([at(NOW + MINUTE_MS, { '/': 50 })]);
    harness.restart();
    expect(await liveRows()).toHaveLength(2);
    await seal();
    expect(await liveRows()).toHaveLength(1);
    expect(await listed()).toEqual([
      ['/', 50, 1],
      ['/', 10, 0],
    ]);
  });

  it('lose the live row of a host with its blocks', async () => {
    await harness.send([at(NOW, { '/': 10 })]);
    await flush();
    const { sql } = harness.store;
    await sql`delete from sample_log`;
    expect(await removeDeadBlocks(sql, Date.now() + 4_000 * DAY_MS, DEFAULT_RETENTION_DAYS)).toBe(1);
    expect(await liveRows()).toHaveLength(0);
  });
});
