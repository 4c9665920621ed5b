import { encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { folderForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { closeBatch } from '@tidewatch/store/sample-days/close-day';
import { expect, test } from 'vitest';
import { rebuildInstallation } from './rebuild-installation.ts';
import { rebuildReport } from './report.ts';

const DAY = Date.UTC(2026, 10, 14);
const NOW = Date.UTC(2026, 10, 19);
const EVERY = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, now: NOW };
const directory = folderForFile();
const store = await storeForFile({ sampleLayout: 'log' });
const rows = await storeForFile({ sampleLayout: 'rows' });

const rebuild = (repairs: boolean) =>
  rebuildInstallation(
    { databaseUrl: store.database.adminUrl, directory },
    { ...EVERY, repairs },
    createSilentLogger(),
  );

test('rollups that differ from their samples are named, and written again where asked for; damaged days are named', async () => {
  const { sql } = store;
  const data = encodeChunk({
    times: Float64Array.of(DAY + 1, DAY + 60_001),
    slots: [Float64Array.of(1.5, 2), ...new Array<null>(15).fill(null)],
  });
  await sql`select ensure_packed_partition('sample_chunks', ${DAY}::timestamptz, ${DAY + 86_400_000}::timestamptz)`;
  for (const blockId of [1, 2])
    await sql`
      insert into sample_chunks (block_id, first, last, data)
      values (${blockId}, ${DAY + 1}::timestamptz, ${DAY + 60_001}::timestamptz, ${data}::bytea)`;
  await closeBatch(sql, DAY, { now: NOW });
  const summary = (differing: string, damaged: number) =>
    `Days of blocks compared: 2; rollups that differ: ${differing}; damaged days: ${damaged}.`;
  expect(rebuildReport(await rebuild(false), false)).toEqual([summary('0', 0)]);

  await sql`delete from packed_hours where block_id = 1`;
  await sql`update sample_days set data = '\\x0100' where block_id = 2`;
  const found = [
    'packed_hours of block 1 on 2026-11-14 differs from its samples',
    expect.stringMatching(
      /^sample_days of block 2 on 2026-11-14 is damaged \(.+\); its rollups are left as they are$/,
    ),
  ];
  expect(rebuildReport(await rebuild(false), false)).toEqual([...found, summary('1', 1)]);
  expect(rebuildReport(await rebuild(true), true)).toEqual([...found, summary('1, written again', 1)]);
  expect((await rebuild(false)).differing).toBe(0);
  expect(await sql`select from packed_hours`).toHaveLength(2);
});

test('a database that keeps samples as rows is refused', async () => {
  const installation = { databaseUrl: rows.database.adminUrl, directory };
  const rebuilding = rebuildInstallation(installation, { ...EVERY, repairs: true }, createSilentLogger());
  await expect(rebuilding).rejects.toThrow('keeps samples as rows');
});
