import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { beforeEach, expect, it } from 'vitest';
import { type Harness, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
const MOST = Number.MAX_VALUE;

let database: TestDatabase;
let harness: Harness;

beforeEach(async () => {
  database = await openForTest(startDatabaseOf('rows'));
  harness = await openForTest(openHarness(database.url, NOW));
});

it('buckets are recomputed when the sum of late values exceeds the maximum number', async () => {
  const late = NOW - 3 * HOUR_MS;
  const host = (name: string, time: number, value: number) => ({
    host: name,
    time,
    ...metricsOf({ v: value }),
  });
  await harness.send([host('most', NOW, MOST), host('other', NOW, 1)]);
  await harness.send([host('most', late, MOST), host('most', late + 1, MOST), host('other', late, 3)]);
  await harness.writer.settle();
  const rows = await harness.store.sql<{ host: string; cnt0: number; max0: number }[]>`
    select b.subject_name as host, r.cnt0, r.max0 from rollup_1m r join blocks b on b.id = r.block_id
    where r.bucket = date_trunc('minute', ${late}::timestamptz) order by 1`;
  expect(rows).toEqual([
    { host: 'most', cnt0: 2, max0: MOST },
    { host: 'other', cnt0: 1, max0: 3 },
  ]);
});
