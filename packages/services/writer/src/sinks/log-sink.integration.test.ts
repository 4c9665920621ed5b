import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { openStore } from '@tidewatch/database/connection';
import { openForTest } from '@tidewatch/harness/opened';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { removeDeadBlocks } from '@tidewatch/store/retention/dead-blocks';
import { logBucketOf, MIXED_BUCKET } from '@tidewatch/store/sample-log/buckets';
import { readEndedSeq } from '@tidewatch/store/sample-log/seal-lock';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { readService } from '@tidewatch/store/services/detail';
import { packedSnapshots } from '@tidewatch/store/snapshots/packed/packed-snapshots';
import { beforeEach, describe, expect, it } from 'vitest';
import { readLoggedSamples } from '../testing/logged-samples.ts';
import { type Harness, ORGANIZATION, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
let opened: TestStore;
let harness: Harness;

beforeEach(async () => {
  opened = await storeForTest({ sampleLayout: 'log' });
  harness = await openForTest(openHarness(opened.database.url, NOW));
});

const at = (time: number, fields: Record<string, number>, host = 'web-01'): Payload => ({
  host,
  time,
  ...metricsOf(fields),
});

/** A payload with some metrics of a host, of containers and of filesystems. */
function randomPayload(random: () => number): Payload {
  const pick = (count: number) => Math.floor(random() * count);
  const value = () => (pick(5) === 0 ? random() * 1e9 : Math.round(random() * 1e4) / 100);
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: 1 + pick(count) }, () => [`m${pick(40)}`, value()]));
  const payload = at(NOW - pick(20) * 10_000, fields(25), `host-${pick(6)}`);
  if (pick(3) === 0) payload.containers = [{ name: `c${pick(3)}`, image: 'i', ...fields(4) }];
  if (pick(3) === 0) {
    const name = `/mnt/${pick(3)}`;
    const { metrics, values } = metricsOf(fields(4));
    const shape = shapeOf({
      kinds: ['filesystem'],
      names: [name],
      labels: [null],
      metrics,
      ends: [metrics.length],
    });
    payload.parts = { shape, values };
  }
  return payload;
}

/** Adds the samples of a payload to what counts, by the keys of `readLoggedSamples`. */
function addTo(
  model: Map<string, number>,
  { host, time, metrics, values, containers, parts }: Payload,
): void {
  const add = (subject: string, names: readonly string[], of: readonly number[]) => {
    for (const [index, name] of names.entries())
      model.set(`${host} ${subject} ${name} ${time}`, of[index] ?? Number.NaN);
  };
  add(`host ${host}`, metrics, values);
  for (const container of containers ?? []) {
    const fields = metricsOf(container);
    add(`container ${container.name}`, fields.metrics, fields.values);
  }
  if (parts !== undefined) add(`part ${parts.shape.names[0]}`, parts.shape.metrics, parts.values);
}

describe('a writer of a database that keeps samples as a log', () => {
  it.each([1, 2])(
    'logs every sample that was committed, and the last one counts, for payloads of seed %i',
    async (seed) => {
      const random = createRandom(seed);
      const model = new Map<string, number>();
      for (let transaction = 0; transaction < 30; transaction += 1) {
        const payloads = Array.from({ length: 1 + Math.floor(random() * 20) }, () => randomPayload(random));
        const turn = random();
        if (turn < 0.1) await harness.sendAndLose(payloads);
        if (turn < 0.2) harness.restart();
        await harness.send(payloads.slice(0, 3), payloads.slice(3));
        for (const payload of payloads) addTo(model, payload);
      }
      expect(await readLoggedSamples(harness.store.sql)).toEqual(model);
      expect(harness.counts.get('tidewatch_writer_samples_stored_total')).toBeGreaterThan(model.size - 1);
    },
  );

  it('writes no rows, no rollups and no marks', async () => {
    await harness.send([at(NOW - 5 * MINUTE_MS, { cpu: 1 }), at(NOW, { cpu: 2 })]);
    await harness.writer.settle();
    const [found] = await harness.store.sql`
      select (select count(*) from samples)::int as samples, (select count(*) from rollup_1m)::int as minutes,
        (select count(*) from dirty_buckets)::int as marks, (select count(*) from sample_chunks)::int as chunks`;
    expect(found).toEqual({ samples: 0, minutes: 0, marks: 0, chunks: 1 });
  });

  it('commits the first values of new services and blocks together with their samples', async () => {
    await harness.send([at(NOW, { cpu_percent: 12.5, load: 3 }), at(NOW - 1, { load: 2 })]);
    const read = () => harness.store.sql`
      select l.vals[1:2] as vals, v.cpu_percent, v.last_sample_at
      from block_latest l join blocks b on b.id = l.block_id join service_live v on v.service_id = b.service_id`;
    expect([...(await read())]).toEqual([{ vals: [12.5, 3], cpu_percent: 12.5, last_sample_at: NOW }]);
    await harness.send([at(NOW + 1_000, { cpu_percent: 14, load: 4 })]);
    await harness.writer.settle();
    expect([...(await read())]).toEqual([{ vals: [14, 4], cpu_percent: 14, last_sample_at: NOW + 1_000 }]);
  });

  it('keeps the live values of a host that stopped to report them while the writer started again', async () => {
    await harness.send([at(NOW, { cpu_percent: 12.5, memory_percent: 40 })]);
    harness.restart();
    await harness.send([at(NOW + 10_000, { cpu_percent: 13 })]);
    await harness.writer.settle();
    const [live] = await harness.store
      .sql`select cpu_percent, memory_percent, disk_percent from service_live`;
    expect(live).toEqual({ cpu_percent: 13, memory_percent: 40, disk_percent: null });
  });

  it('shows values in the answer about a service as soon as they are committed', async () => {
    const shape = shapeOf({
      kinds: ['filesystem'],
      names: ['/'],
      labels: [null],
      metrics: ['used_percent', 'free'],
      ends: [2],
    });
    const parts = (used: number) => ({ parts: { shape, values: [used, 7] } });
    await harness.send([{ ...at(NOW, { cpu_percent: 1, load: 2 }), ...parts(50) }]);
    await harness.send([
      { ...at(NOW + 1_000, { load: 3, extra: 4 }), ...parts(60) },
      at(NOW + DAY_MS, { load: 99 }),
    ]);
    await harness.send([at(NOW + 500, { load: 2.5 }), at(NOW + 1_000, { extra: 5 })]);
    const { sql } = harness.store;
    const [service] = await sql<{ id: string }[]>`select id from services`;
    const read = () => readService(sql, ORGANIZATION, service?.id ?? '', NOW + 2_000);
    const expected = {
      metrics: { cpu_percent: 1, load: 3, extra: 5 },
      metric_times: {
        cpu_percent: toIso(NOW),
        load: toIso(NOW + 1_000),
        extra: toIso(NOW + 1_000),
      },
      parts: [{ name: '/', metrics: { used_percent: 60, free: 7 }, time: toIso(NOW + 1_000) }],
    };
    expect(await read()).toMatchObject(expected);
    const [block] = await sql<{ id: number }[]>`select id from blocks where subject_kind = 'host'`;
    const span = { blockId: block?.id ?? 0, slot: 1, from: NOW - 1, to: NOW + 2_000 };
    const [samples] = await storedSeries.samples(sql, [span]);
    expect([...(samples?.values ?? [])]).toEqual([2, 2.5, 3]);
    await new Sealer({ sql, clock: () => NOW + 2_000 }).sealAll();
    expect(await sql`select from sample_log`).toHaveLength(0);
    expect(await read()).toMatchObject(expected);
  });

  it('keeps the first block of a subject, by which the log names its records, as long as another one stays', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index]));
    await harness.send([at(NOW, many)]);
    const { sql } = harness.store;
    await new Sealer({ sql, clock: () => NOW }).sealAll();
    const { database } = opened;
    const admin = await openForTest(openStore({ url: database.adminUrl, max: 1 }));
    await admin.sql`truncate sample_chunks`;
    const long = { ...DEFAULT_RETENTION_DAYS, '1d': 1 };
    const left = async () => {
      await removeDeadBlocks(sql, Date.now() + 40 * DAY_MS, long);
      return (await sql<{ ordinal: number }[]>`select ordinal from blocks order by 1`).map(
        ({ ordinal }) => ordinal,
      );
    };
    expect(await left()).toEqual([0]);
    expect(await left()).toEqual([]);
  });

  it('leaves values far ahead of the clock out of live values', async () => {
    await harness.send([at(NOW, { cpu_percent: 1 }), at(NOW + DAY_MS, { cpu_percent: 99 })]);
    await harness.send([at(NOW + 1_000, { cpu_percent: 2 })]);
    expect((await readLoggedSamples(harness.store.sql)).size).toBe(3);
    await harness.writer.settle();
    const [live] = await harness.store.sql`select cpu_percent from service_live`;
    expect(live).toEqual({ cpu_percent: 2 });
  });

  it('keeps small transactions of many hosts in one row, and large ones in the buckets of their hosts', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `host-${index}`);
    await harness.send(hosts.map((host) => at(NOW, { cpu: 1 }, host)));
    const buckets = async () => {
      const rows = await harness.store.sql<{ bucket: number }[]>`
        delete from sample_log where seq <= ${await readEndedSeq(harness.store.sql)} returning bucket`;
      return rows.map(({ bucket }) => bucket).sort((a, b) => a - b);
    };
    expect(await buckets()).toEqual([MIXED_BUCKET]);
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`m${index}`, index]));
    await harness.send(hosts.map((host) => at(NOW, many, host)));
    const services = await harness.store.sql<{ id: string }[]>`select id from services`;
    const expected = new Set(services.map(({ id }) => logBucketOf(id)));
    expect(await buckets()).toEqual([...expected].sort((a, b) => a - b));
  });

  it('keeps processes and containers in the log, and those of a payload that came twice once', async () => {
    const processes = [{ name: 'node', pid: 1, cpu_percent: 2.5 }];
    const containers = [{ name: 'web', image: 'web:1', cpu_percent: 3 }];
    await harness.send([{ ...at(NOW, { cpu: 1 }), processes, containers }]);
    await harness.send([{ ...at(NOW, { cpu: 1 }), processes }, at(NOW + 1_000, { cpu: 1 })]);
    const { sql } = harness.store;
    const [{ id: serviceId } = { id: '' }] = await sql<{ id: string }[]>`select id from services`;
    const span = { organizationId: ORGANIZATION, serviceId, from: NOW, to: NOW + 10_000 };
    expect(await packedSnapshots.lists(sql, [span], 'processes')).toEqual([[{ time: NOW, list: processes }]]);
    expect(await packedSnapshots.lists(sql, [span], 'containers')).toEqual([
      [{ time: NOW, list: containers }],
    ]);
    expect(await sql`select from snapshots`).toHaveLength(0);
  });

  it('backfills samples older than raw retention as rows', async () => {
    const old = NOW - 60 * DAY_MS;
    await harness.send([at(old, { cpu: 5 }), at(NOW, { cpu: 6 })]);
    const rows = await harness.store.sql`select "time", v0 from samples_backfill`;
    expect([...rows]).toEqual([{ time: old, v0: 5 }]);
    expect([...(await readLoggedSamples(harness.store.sql)).values()]).toEqual([6]);
    await harness.send([at(old, { memory: 7 }), at(old + 1, { cpu: 5, memory: 8 })]);
    const latest = await harness.store.sql`select times[1:2] as times, vals[1:2] as vals from block_latest`;
    expect([...latest]).toEqual([{ times: [NOW, old + 1], vals: [6, 8] }]);
  });
});
