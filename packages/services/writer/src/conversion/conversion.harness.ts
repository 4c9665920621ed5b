import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import { CONTRACT_RETENTION } from '@tidewatch/store/backends/store.contract';
import { ConversionError } from '@tidewatch/store/sample-conversion/conversion-error';
import { closeBatch, readClosableDays } from '@tidewatch/store/sample-days/close-day';
import { rebuildRollups } from '@tidewatch/store/sample-days/rebuild';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { randomTransactions } from '@tidewatch/store/series/contract/series-model.fixture';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { packedSnapshots } from '@tidewatch/store/snapshots/packed/packed-snapshots';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../testing/writer.harness.ts';
import { readAnswers, withLists } from './answers.harness.ts';
import { convert, convertAndEnd } from './interrupted-conversion.harness.ts';

const SEED = 11;
/** The raw samples of the first stream have expired when the second one comes. */
const FIRST = Date.UTC(2026, 10, 15, 13, 30);
const NOW = FIRST + 4 * DAY_MS;

/** The tests of the conversion of rows to a log, which every storage backend that has both passes. */
export function describeConversion(backend: StorageBackendName, start: () => Promise<TestDatabase>): void {
  describe(`${backend}: the conversion of rows to a log`, () => {
    it('gives the same answers, though it was killed several times', async () => {
      const random = createRandom(SEED);
      const database = await openForTest(start());
      const { sql } = await openForTest(openStore({ url: database.adminUrl, max: 2 }));
      const times = await fill(database, random);
      const asked = () => ({ random: createRandom(SEED + 1), now: NOW, times });
      const before = await readAnswers(sql, asked());
      const snapshots = await readRowSnapshots(sql);
      expect(snapshots.length).toBeGreaterThan(100);

      // The minutes that a writer had in memory when it was killed, and samples that come between two runs.
      await sql`delete from rollup_1m where bucket >= ${NOW - 10 * MINUTE_MS}::timestamptz`;
      for (const count of [1, 3, 9])
        await convertAndEnd(database, NOW, { kind: 'after transactions', count });
      for (const ms of [1, 10, 25]) await convertAndEnd(database, NOW, { kind: 'killed', ms });
      await expectRows(sql);
      await convertAndEnd(database, NOW, { kind: 'after the switch' });
      expect(await sql`select sample_layout, is_converting from storage_backend`).toEqual([
        { sample_layout: 'log', is_converting: true },
      ]);
      const { days, dropped } = await convert(database, NOW);

      expect(days).toBe(0);
      expect(dropped.length).toBeGreaterThan(4);
      expect(await sql`select sample_layout from storage_backend`).toEqual([{ sample_layout: 'log' }]);
      expect(await sql`select from samples limit 1`).toHaveLength(0);
      const converted = await openForTest(openStore({ url: database.adminUrl, max: 2 }));
      const answers = await readAnswers(converted.sql, asked());
      expect(answers).toHaveLength(before.length);
      for (const [index, answer] of answers.entries()) expect(answer).toEqual(before[index]);
      expect(await readPackedSnapshots(sql, snapshots)).toEqual(snapshots);
      await expect(convert(database, NOW)).rejects.toThrow('nothing to convert');
      await goOn(database, converted.sql);
    }, 120_000);

    it('stops at rows that differ after they were written, and drops nothing', async () => {
      const database = await openForTest(start());
      const { sql } = await openForTest(openStore({ url: database.adminUrl, max: 2 }));
      await fill(database, createRandom(SEED + 2), 1);
      const [row] = await sql<{ block_id: number; time: number; v0: number }[]>`
        select block_id, "time", v0 from samples where v0 is not null limit 1`;
      const change = (value: string) => sql`
        update samples set v0 = ${value}::text::float8
        where block_id = ${row?.block_id ?? 0} and "time" = ${row?.time ?? 0}::timestamptz`;
      expect((await change('NaN')).count).toBe(1);
      await expect(convert(database, NOW)).rejects.toThrow(
        /The day 2026-11-1\d differs in the block \d+ after it was written/,
      );
      await expectRows(sql);
      await change('Infinity');
      await expect(convert(database, NOW)).rejects.toThrow(ConversionError);
      await expectRows(sql);
      await change(`${row?.v0}`);
    }, 60_000);
  });
}

/** Stores streams as the writer does; returns the times of samples that are kept (ms). */
async function fill(database: TestDatabase, random: () => number, streams = 2): Promise<number[]> {
  const harness = await openHarness(database.url, FIRST, { retention: CONTRACT_RETENTION });
  const backend = await openStorageBackend(harness.store.sql, CONTRACT_RETENTION);
  const times = new Set<number>();
  const send = async (payloads: Payload[]) => {
    await harness.send(withLists(payloads, random));
    for (const { time } of payloads) if (time > NOW - 2 * DAY_MS) times.add(time);
  };
  for (const payloads of randomTransactions(random, FIRST)) await send(payloads);
  await harness.writer.settle();
  harness.now = NOW;
  if (streams === 2) {
    await backend.enforceRetention(NOW);
    for (const payloads of randomTransactions(random, NOW)) await send(payloads);
    await harness.writer.settle();
  }
  await harness.close();
  return [...times];
}

/** Stores samples of the last day and of a day that was converted as closed, seals them, and closes the last day. */
async function goOn(database: TestDatabase, sql: Sql): Promise<void> {
  const now = NOW + DAY_MS;
  const late = [NOW - DAY_MS + 1, NOW + 1].map((time) => ({
    host: 'web-01',
    time,
    metrics: ['m0'],
    values: [1_234.5],
  }));
  const before = await readSeries(sql);
  const harness = await openHarness(database.url, now, { retention: CONTRACT_RETENTION });
  await harness.send(late);
  await harness.close();
  const sealer = new Sealer({ sql, clock: () => now, intervalMs: 1 });
  while ((await sql`select from sample_log limit 1`).length > 0) await sealer.step();
  const days = await readClosableDays(sql, now);
  expect(days).toEqual([bucketOf(NOW, DAY_MS)]);
  for (const day of days) while (!(await closeBatch(sql, day, { now })).isDone);
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, repairs: false };
  const rebuilt = await rebuildRollups(sql, all);
  expect(rebuilt.differences).toEqual([]);
  expect(rebuilt.compared).toBeGreaterThan(8);
  const after = await readSeries(sql);
  expect(after).toHaveLength(before.length + late.length);
  for (const sample of before) expect(after).toContainEqual(sample);
  for (const { time } of late) expect(after).toContainEqual([time, 1_234.5]);
}

/** Reads the samples of one series, as [time, value]. */
async function readSeries(sql: Sql): Promise<(readonly [number, number])[]> {
  const [place] = await sql<{ blockId: number; slot: number }[]>`
    select b.id as "blockId", array_position(b.metrics, 'm0') - 1 as slot
    from blocks b join services s on s.id = b.service_id where s.host = 'web-01' and 'm0' = any(b.metrics)`;
  expect(place).toBeDefined();
  const span = { ...(place as { blockId: number; slot: number }), from: NOW - 2 * DAY_MS, to: NOW + DAY_MS };
  const [samples] = await storedSeries.samples(sql, [{ ...span, firstOnly: false }]);
  return Array.from(samples?.times ?? [], (time, at) => [time, samples?.values[at] as number] as const);
}

async function expectRows(sql: Sql): Promise<void> {
  expect(await sql`select sample_layout from storage_backend`).toEqual([{ sample_layout: 'rows' }]);
  expect(await sql`select from samples limit 1`).toHaveLength(1);
}

interface StoredSnapshot {
  service_id: string;
  time: number;
  processes: unknown;
}

async function readRowSnapshots(sql: Sql): Promise<StoredSnapshot[]> {
  return await sql<StoredSnapshot[]>`
    select service_id, "time", processes from snapshots where processes is not null order by 1, 2`;
}

async function readPackedSnapshots(sql: Sql, rows: readonly StoredSnapshot[]): Promise<StoredSnapshot[]> {
  const services = [...new Set(rows.map(({ service_id }) => service_id))];
  const spans = services.map((serviceId) => ({
    organizationId: 'org_test',
    serviceId,
    from: FIRST - 30 * DAY_MS,
    to: NOW + DAY_MS,
  }));
  const lists = await packedSnapshots.lists(sql, spans, 'processes');
  return lists.flatMap((own, place) =>
    own.map(({ time, list }) => ({ service_id: services[place] as string, time, processes: list })),
  );
}
