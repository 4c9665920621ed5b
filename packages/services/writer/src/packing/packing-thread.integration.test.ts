import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { expect, it } from 'vitest';
import { createCounting, openHarness } from '../testing/writer.harness.ts';
import { createWriterMeters } from '../writer-metrics.ts';
import { createPackingThread, type PackingOrder } from './packing-thread.ts';

const TIMEOUT = { timeout: 30_000 };

const payload = (host: string, value: number): Payload => ({
  host,
  time: Date.now() - 10_000,
  ...metricsOf({ cpu: value }),
});

async function stored({ sql }: TestStore) {
  const [log] = await sql<{ rows: number }[]>`select count(*)::integer as rows from sample_log`;
  const chunks = await sql<{ data: Buffer }[]>`select data from sample_chunks`;
  const values = chunks.flatMap(({ data }) => [...(decodeChunk(data).slots[0] ?? [])]);
  return { rows: log?.rows, values: values.sort((a, b) => a - b) };
}

it('a thread of the writer packs its log on connections of its own, counts its failures, and releases its leases', async () => {
  const admin = await storeForTest({ sampleLayout: 'log' });
  const { url } = admin.database;
  const packingStore = { url, applicationName: 'packing' };
  const harness = await openForTest(openHarness(url, Date.now(), { packingStore, sealIntervalMs: 100 }));
  const { writer, counts } = harness;
  await writer.start();
  await harness.send([payload('web-01', 1), payload('web-02', 2)]);
  await expect.poll(() => stored(admin), TIMEOUT).toEqual({ rows: 0, values: [1, 2] });
  await expect.poll(() => counts.get('tidewatch_log_samples_sealed_total'), TIMEOUT).toBe(2);
  const sessions = await admin.sql`select from pg_stat_activity where application_name = 'packing'`;
  expect(sessions.length).toBeGreaterThan(0);

  await admin.sql`revoke insert on sample_chunks from tidewatch_writer`;
  await harness.send([payload('web-01', 3)]);
  const failures = () => counts.get('tidewatch_writer_job_failures_total seal');
  await expect.poll(failures, TIMEOUT).toBeGreaterThan(0);
  await admin.sql`grant insert on sample_chunks to tidewatch_writer`;
  await expect.poll(() => stored(admin), TIMEOUT).toEqual({ rows: 0, values: [1, 2, 3] });

  const held = () => admin.sql`select from leases where name in ('writer-seal', 'writer-close-days')`;
  expect(await held()).toHaveLength(2);
  await writer.stop();
  expect(await held()).toEqual([]);
});

it('a thread that dies is counted and logged as a failure of a job, and started again', async () => {
  const admin = await storeForTest({ sampleLayout: 'log' });
  const { sql } = admin;
  const harness = await openForTest(openHarness(admin.database.url, Date.now()));
  const { counts, metrics } = createCounting();
  const warnings: unknown[] = [];
  const order: PackingOrder = { store: { url: 'of no database' }, holder: 'thread', sealIntervalMs: 100 };
  const thread = createPackingThread({
    sql,
    order,
    meters: createWriterMeters(metrics),
    logger: Object.assign(createSilentLogger(), { warn: (fields: unknown) => warnings.push(fields) }),
  });
  await openForTest({ close: thread.stop });
  thread.start();
  await expect.poll(() => warnings, TIMEOUT).toMatchObject([{ job: 'packing-thread' }]);
  expect(counts.get('tidewatch_writer_job_failures_total packing-thread')).toBe(1);
  await harness.send([payload('web-01', 1)]);
  order.store = { url: admin.database.url };
  await expect.poll(() => stored(admin), TIMEOUT).toEqual({ rows: 0, values: [1] });
});

it('the thread starts when samples are first written as a log, and not before', async () => {
  const admin = await storeForTest({ sampleLayout: 'rows' });
  const harness = await openForTest(
    openHarness(admin.database.url, Date.now(), {
      packingStore: { url: admin.database.url },
      sealIntervalMs: 100,
    }),
  );
  const { writer, counts } = harness;
  await openForTest({ close: () => writer.stop() });
  await writer.start();
  expect(counts.get('tidewatch_writer_job_failures_total packing-thread')).toBe(0);
  expect(counts.has('tidewatch_writer_job_failures_total seal')).toBe(false);
  await admin.sql`update storage_backend set sample_layout = 'log'`;
  await expect.poll(() => counts.get('tidewatch_writer_job_failures_total seal'), TIMEOUT).toBe(0);
});
