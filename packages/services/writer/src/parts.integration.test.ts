import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { latestParts, readPartValues } from '@tidewatch/store/parts/latest-parts';
import { removeDeadBlocks } from '@tidewatch/store/retention/dead-blocks';
import { SlotsTakenError } from '@tidewatch/store/samples/block-rows';
import { countActiveSeries, findKnownParts, findKnownSeries } from '@tidewatch/store/series/active-series';
import { readSeries } from '@tidewatch/store/series/read';
import { beforeEach, expect, it } from 'vitest';
import { disagreeing, readSamples } from './testing/recount.ts';
import { type Harness, ORGANIZATION, openHarness } from './testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 28, 12, 0, 30);

interface Part {
  kind?: string;
  name: string;
  labels?: Record<string, string>;
  metrics: Record<string, number>;
}

let database: TestDatabase;
let harness: Harness;

beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
  harness = await openForTest(openHarness(database.url, NOW));
});

/** A payload of web-01 with these parts, and as many host metrics as `host` says. */
function at(time: number, list: readonly Part[], host: Record<string, number> = {}): Payload {
  const metrics = list.flatMap((part) => Object.keys(part.metrics));
  const ends: number[] = [];
  for (const part of list) ends.push((ends.at(-1) ?? 0) + Object.keys(part.metrics).length);
  const shape = shapeOf({
    kinds: list.map(({ kind }) => kind ?? 'filesystem'),
    names: list.map(({ name }) => name),
    labels: list.map(({ labels }) => labels ?? null),
    metrics,
    ends,
  });
  const values = list.flatMap((part) => Object.values(part.metrics));
  return { host: 'web-01', time, ...metricsOf(host), parts: { shape, values } };
}

const filesystems = (count: number, used: number): Part[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `/mnt/${index}`,
    metrics: {
      used_percent: used + index,
      inodes_percent: index,
      size_bytes: 100,
      free_bytes: 50,
      read_only: 0,
    },
  }));

async function serviceId(): Promise<string> {
  const [row] = await harness.store.sql<{ id: string }[]>`select id from services`;
  return row?.id as string;
}
const latest = async () =>
  latestParts(await readPartValues(harness.store.sql, ORGANIZATION, await serviceId()), new Map());
const stored = async () =>
  (await readSamples(harness.store.sql)).map(({ subject, metric, time, value }) => [
    subject,
    metric,
    time - NOW,
    value,
  ]);

it('numbers of all parts of a host share rows of sixteen, and each is found under its part', async () => {
  await harness.send([at(NOW, filesystems(30, 10))]);
  await harness.writer.settle();
  const [counts] = await harness.store.sql`
    select (select count(*)::int from blocks where subject_kind = 'part') as blocks, (select count(*)::int from samples) as rows,
      (select count(*)::int from parts) as parts`;
  expect(counts).toEqual({ blocks: 10, rows: 10, parts: 30 });
  const found = await latest();
  expect(found).toHaveLength(30);
  for (const part of found) {
    const index = Number(part.name.slice('/mnt/'.length));
    expect(part).toMatchObject({ kind: 'filesystem', labels: {}, time: NOW });
    expect(part.metrics).toEqual({
      used_percent: 10 + index,
      inodes_percent: index,
      size_bytes: 100,
      free_bytes: 50,
      read_only: 0,
    });
  }
});

it('a payload that arrives twice, late or in part is stored once, beside the metrics of the host', async () => {
  const [root, data] = [
    { name: '/', metrics: { used_percent: 1 } },
    { name: '/data', metrics: { used_percent: 2 } },
  ];
  await harness.send([at(NOW, [root, data], { cpu: 5 })]);
  await harness.send([at(NOW, [root, data], { cpu: 5 })]);
  await harness.send([at(NOW - MINUTE_MS, [data])], [at(NOW - MINUTE_MS, [root])]);
  expect(await stored()).toEqual([
    ['filesystem:/', 'used_percent', -MINUTE_MS, 1],
    ['filesystem:/', 'used_percent', 0, 1],
    ['filesystem:/data', 'used_percent', -MINUTE_MS, 2],
    ['filesystem:/data', 'used_percent', 0, 2],
    ['web-01', 'cpu', 0, 5],
  ]);
  for (const tier of ROLLUP_TIERS) expect(await disagreeing(harness.store.sql, tier), tier).toEqual([]);
});

it('slots of parts are assigned for life, over new parts, restarts and a second writer', async () => {
  const [root, data] = [
    { name: '/', metrics: { used_percent: 1 } },
    { name: '/data', metrics: { used_percent: 2, free_bytes: 3 } },
  ];
  await harness.send([at(NOW, [data])]);
  const other = await openForTest(openHarness(database.url, NOW));
  await other.send([at(NOW + SECOND_MS, [root, data])]);
  // The first writer does not know of the slots that the other one has assigned: it reads them again, and is asked again.
  const more = at(NOW + 2 * SECOND_MS, [{ name: '/', metrics: { used_percent: 4, free_bytes: 5 } }]);
  await expect(harness.send([more])).rejects.toThrow(SlotsTakenError);
  await harness.send([more]);
  expect(await stored()).toEqual([
    ['filesystem:/', 'free_bytes', 2 * SECOND_MS, 5],
    ['filesystem:/', 'used_percent', SECOND_MS, 1],
    ['filesystem:/', 'used_percent', 2 * SECOND_MS, 4],
    ['filesystem:/data', 'free_bytes', 0, 3],
    ['filesystem:/data', 'free_bytes', SECOND_MS, 3],
    ['filesystem:/data', 'used_percent', 0, 2],
    ['filesystem:/data', 'used_percent', SECOND_MS, 2],
  ]);
});

it('the newest labels of a part replace its others as a whole; without labels they stay', async () => {
  const sda = (labels?: Record<string, string>): Part[] => [
    { kind: 'disk', name: 'sda', metrics: { busy_percent: 1 }, ...(labels ? { labels } : {}) },
  ];
  const labels = async () => {
    await harness.writer.settle();
    return (await latest())[0]?.labels;
  };
  await harness.send([at(NOW, sda({ model: 'a', serial: '1' }))]);
  expect(await labels()).toEqual({ model: 'a', serial: '1' });
  await harness.send([at(NOW + SECOND_MS, sda())]);
  expect(await labels()).toEqual({ model: 'a', serial: '1' });
  await harness.send([at(NOW + 3 * SECOND_MS, sda({ model: 'b' }))]);
  await harness.send([at(NOW + 2 * SECOND_MS, sda({ model: 'late' }))]);
  expect(await labels()).toEqual({ model: 'b' });
  const restarted = await openForTest(openHarness(database.url, NOW));
  await restarted.send([at(NOW + 2 * SECOND_MS, sda({ model: 'late' }))]);
  expect(await labels()).toEqual({ model: 'b' });
});

it('a part without samples for a day is left out, until it has some again; its series are read all the time', async () => {
  const part = (name: string, used: number): Part => ({ name, metrics: { used_percent: used } });
  await harness.send([at(NOW - DAY_MS - HOUR_MS, [part('/', 1), part('/old', 2)])]);
  await harness.send([at(NOW, [part('/', 3)])]);
  await harness.writer.settle();
  expect((await latest()).map(({ name, metrics }) => [name, metrics])).toEqual([['/', { used_percent: 3 }]]);
  const retained = { raw: 0, '1m': 0, '1h': 0, '1d': 0 };
  const [series] = await readSeries(harness.store.sql, {
    organizationId: ORGANIZATION,
    serviceId: await serviceId(),
    subject: { kind: 'part', name: 'filesystem:/old' },
    metrics: undefined,
    tier: 'raw',
    stepMs: MINUTE_MS,
    from: NOW - 2 * DAY_MS,
    to: NOW + MINUTE_MS,
    retained,
  });
  expect([series?.metric, [...(series?.points.avg ?? [])]]).toEqual(['used_percent', [2]]);
  await harness.send([at(NOW + SECOND_MS, [part('/old', 4)])]);
  await harness.writer.settle();
  expect((await latest()).map(({ name }) => name)).toEqual(['/', '/old']);
});

it('a part is left out of lists a day after its last sample also if the writer was restarted meanwhile', async () => {
  const part = (name: string): Part => ({ name, metrics: { used_percent: 1 } });
  await harness.send([at(NOW - DAY_MS - HOUR_MS, [part('/'), part('/old')])]);
  await harness.send([at(NOW - DAY_MS, [part('/')])]);
  await harness.writer.settle();
  const restarted = await openForTest(openHarness(database.url, NOW));
  await restarted.send([at(NOW - 2 * HOUR_MS, [part('/')])]);
  expect((await latest()).map(({ name }) => name)).toEqual(['/', '/old']);
  await restarted.send([at(NOW, [part('/')])]);
  expect((await latest()).map(({ name }) => name)).toEqual(['/']);
  const gone = await harness.store.sql`select name, host, listed, gone from parts order by name`;
  expect(gone).toEqual([
    { name: '/', host: 'web-01', listed: true, gone: false },
    { name: '/old', host: 'web-01', listed: true, gone: true },
  ]);
});

it('series of parts count as active while they have samples, and are apart from those of the host', async () => {
  await harness.send([at(NOW - DAY_MS - HOUR_MS, [{ name: '/old', metrics: { used_percent: 2 } }])]);
  await harness.send([at(NOW, [{ name: '/', metrics: { used_percent: 3, free_bytes: 1 } }], { cpu: 1 })]);
  await harness.writer.settle();
  const { sql } = await openForTest(openStore({ url: database.apiUrl, bindsOrganization: true }));
  expect(await countActiveSeries(sql, ORGANIZATION, NOW)).toBe(3);
  expect(await findKnownSeries(sql, ORGANIZATION, ['web-01'], NOW)).toEqual([
    { host: 'web-01', container: null, metrics: ['cpu'] },
  ]);
  const known = await findKnownParts(sql, ORGANIZATION, ['web-01'], NOW);
  expect(known.map(({ kind, name, metric }) => `${kind}:${name} ${metric}`).sort()).toEqual([
    'filesystem:/ free_bytes',
    'filesystem:/ used_percent',
  ]);
});

it('a part without numbers is not stored, and one whose metric is called __proto__ is read like others', async () => {
  const odd = { name: '/odd', metrics: Object.fromEntries([['__proto__', 7]]) };
  await harness.send([at(NOW, [{ name: '/none', labels: { type: 'ext4' }, metrics: {} }, odd])]);
  await harness.writer.settle();
  expect(await harness.store.sql`select name from parts`).toEqual([{ name: '/odd' }]);
  const [part] = await latest();
  expect(Object.entries(part?.metrics ?? {})).toEqual([['__proto__', 7]]);
});

it('parts of a deleted service are removed with their blocks', async () => {
  await harness.send([at(NOW, filesystems(3, 1))]);
  await harness.writer.settle();
  const { sql } = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
  await sql`update services set deleted_at = ${new Date(NOW - 2 * DAY_MS).toISOString()}::timestamptz`;
  await sql`delete from samples`;
  await sql`delete from dirty_buckets`;
  await sql`delete from rollup_1m`;
  await removeDeadBlocks(sql, NOW, DEFAULT_RETENTION_DAYS);
  expect(await sql`select 1 from parts union all select 1 from blocks`).toHaveLength(0);
});
