import { folderForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { expect, test } from 'vitest';
import { convertInstallation } from './convert-installation.ts';

const DAY = Date.UTC(2026, 10, 14);
const directory = folderForFile();
const store = await storeForFile({ organizations: ['org_a'], max: 2, sampleLayout: 'rows' });
const convert = (databaseUrl: string | null) =>
  convertInstallation({ databaseUrl, directory }, Date.UTC(2026, 10, 19), createSilentLogger());

test('a folder without data is not converted', async () => {
  await expect(convert(null)).rejects.toThrow('There is no data');
});

test('a database by its URL is converted once', async () => {
  await store.sql`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
    values ('org_a', 'svc_a', 'host', 'a', 0)`;
  await store.sql`select ensure_partition('samples', ${DAY}::timestamptz, ${DAY + 86_400_000}::timestamptz)`;
  await store.sql`
    insert into samples ("time", block_id, v0) select ${DAY}::timestamptz, id, 1.5 from blocks`;
  const { days, dropped } = await convert(store.database.adminUrl);
  expect(days).toBe(1);
  expect(dropped).toEqual(['samples_20261114']);
  expect(await readSampleLayout(store.sql)).toBe('log');
  expect(await store.sql`select day from sample_days`).toHaveLength(1);
  await expect(convert(store.database.adminUrl)).rejects.toThrow('nothing to convert');
});
