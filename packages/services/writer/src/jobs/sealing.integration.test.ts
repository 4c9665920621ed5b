import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
let admin: TestStore;
let harness: Harness;
beforeEach(async () => {
  admin = await storeForTest({ sampleLayout: 'log' });
  harness = await openHarness(admin.database.url, NOW, { sealIntervalMs: 1_000 });
  const { writer, close } = harness;
  await openForTest({ close: () => writer.stop().then(close) });
  await writer.start();
});

const payload = (host: string, value: number): Payload => ({
  host,
  time: NOW - 10_000,
  ...metricsOf({ cpu: value }),
});

/** What is still in the log, and the values in chunks. */
async function stored() {
  const [log] = await admin.sql<{ rows: number }[]>`select count(*)::integer as rows from sample_log`;
  const chunks = await admin.sql<{ data: Buffer }[]>`select data from sample_chunks`;
  const values = chunks.flatMap(({ data }) => [...(decodeChunk(data).slots[0] ?? [])]);
  return { rows: log?.rows, values: values.sort((a, b) => a - b) };
}

describe('the job that seals', () => {
  it('seals what a writer logs in rounds, and its latest values', async () => {
    await harness.send([payload('web-01', 1), payload('web-02', 2)]);
    harness.now += 2_000;
    await expect.poll(stored, { timeout: 20_000 }).toEqual({ rows: 0, values: [1, 2] });
    const latest = await admin.sql<{ vals: number[] }[]>`select vals from block_latest order by block_id`;
    expect(latest.map(({ vals }) => vals[0])).toEqual([1, 2]);
  });

  it('counts a seal that fails, keeps the log, and seals it later', async () => {
    await admin.sql`revoke insert on sample_chunks from tidewatch_writer`;
    await harness.send([payload('web-01', 3)]);
    harness.now += 2_000;
    const failures = () => harness.counts.get('tidewatch_writer_job_failures_total seal') ?? 0;
    await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await stored()).toEqual({ rows: 1, values: [] });
    await admin.sql`grant insert on sample_chunks to tidewatch_writer`;
    harness.now += 2_000;
    await expect.poll(stored, { timeout: 20_000 }).toEqual({ rows: 0, values: [3] });
  });

  it('seals everything before the writer is settled', async () => {
    await harness.send([payload('web-01', 4)]);
    await harness.writer.settle();
    expect(await stored()).toEqual({ rows: 0, values: [4] });
  });
});
