import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { storeForTest } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { closeBatch } from './close-day.ts';
import { columnsOf, seal } from './day-model.harness.ts';
import { deletePackedSamples } from './delete-blocks.ts';
import { PACKED_SPANS } from './packed-partitions.ts';
import { enforcePackedRetention, ensurePackedAhead } from './retention.ts';

const DAY = Date.UTC(2026, 10, 10);
const sample = (blockId: number, day: number) => ({
  blockId,
  day,
  columns: columnsOf([{ time: day + HOUR_MS, row: new Map([[0, 100]]) }]),
});

it('partitions of packed samples are dropped when their retention ends, and those of samples only after they were closed', async () => {
  const { sql } = await storeForTest({ as: 'product' });
  const retention = { ...DEFAULT_RETENTION_DAYS, raw: 3, '1m': 5, '1h': 40, '1d': 400 };
  const drop = (now: number) => enforcePackedRetention(sql, retention, { now });
  const close = (day: number, now: number) => closeBatch(sql, day, { now });
  const next = DAY + DAY_MS;
  await seal(sql, [sample(1, DAY), sample(1, next)], DAY);

  const closedAt = DAY + DAY_MS + 2 * HOUR_MS;
  await close(DAY, closedAt);
  expect(await drop(closedAt + HOUR_MS - 1)).toEqual([]);
  expect(await drop(closedAt + HOUR_MS)).toEqual(['sample_chunks_20261110']);

  // Raw retention ends three days after the day, and an hour later its samples are dropped. The next day is not closed.
  const rawEnd = DAY + 4 * DAY_MS + HOUR_MS;
  expect(await drop(rawEnd - 1)).toEqual([]);
  expect(await drop(rawEnd)).toEqual(['sample_days_20261110']);
  expect(await drop(rawEnd + DAY_MS)).toEqual([]);
  await close(next, rawEnd + DAY_MS);
  expect(await drop(rawEnd + DAY_MS)).toEqual(['sample_days_20261111']);
  expect(await drop(rawEnd + DAY_MS + HOUR_MS)).toEqual(['sample_chunks_20261111']);

  expect(await drop(DAY + 6 * DAY_MS - 1)).toEqual([]);
  expect(await drop(DAY + 6 * DAY_MS)).toEqual(['packed_minutes_20261110']);
  expect(await drop(Date.UTC(2026, 11, 1) + 40 * DAY_MS - 1)).toEqual(['packed_minutes_20261111']);
  expect(await drop(Date.UTC(2026, 11, 1) + 40 * DAY_MS)).toEqual(['packed_hours_20261101']);
  expect(await drop(Date.UTC(2027, 0, 1) + 400 * DAY_MS - 1)).toEqual([]);
  expect(await sql`select from closed_days`).toHaveLength(2);
  expect(await drop(Date.UTC(2027, 0, 1) + 400 * DAY_MS)).toEqual(['packed_days_20260101']);
  expect(await sql`select from closed_days`).toHaveLength(0);
});

it('partitions are created ahead, and once, and those of chunks not again after their day was closed', async () => {
  const { sql } = await storeForTest();
  expect(await ensurePackedAhead(sql, { now: DAY })).toBe(3 * 4 + 2);
  expect(await ensurePackedAhead(sql, { now: DAY })).toBe(0);
  const now = DAY + 3 * HOUR_MS;
  await closeBatch(sql, DAY - DAY_MS, { now: now - HOUR_MS });
  expect(await enforcePackedRetention(sql, DEFAULT_RETENTION_DAYS, { now })).toEqual([
    'sample_chunks_20261109',
  ]);
  expect(await ensurePackedAhead(sql, { now })).toBe(0);
});

it('of a service that was deleted a day ago nothing is left, and of others everything', async () => {
  const { sql } = await storeForTest({ organizations: ['org_a'] });
  const now = DAY + 2 * DAY_MS + 3 * HOUR_MS;
  for (const [service, deleted] of [
    ['svc_1', now - DAY_MS - 1],
    ['svc_2', now - DAY_MS],
    ['svc_3', null],
  ] as const) {
    await sql`
      insert into services (organization_id, id, host, first_seen, status, status_since, deleted_at) values ('org_a', ${service}, ${service}, now(), 'ok', now(), ${deleted})`;
    await sql`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
      select 'org_a', ${service}, 'host', '', n from generate_series(0, 1) n`;
  }
  const ids = (await sql`select id from blocks order by id`).map(({ id }) => id as number);
  await seal(
    sql,
    ids.flatMap((id) => [sample(id, DAY), sample(id, DAY + DAY_MS)]),
    DAY,
  );
  await closeBatch(sql, DAY, { now });
  // For each block of a day a row in chunks, samples, minutes and hours, one in chunks of the next, and one of the month.
  expect(await deletePackedSamples(sql, now)).toBe(2 * 6);
  for (const relation of Object.keys(PACKED_SPANS)) {
    const rows = await sql`select distinct block_id from ${sql(relation)} order by 1`;
    expect(
      rows.map((row) => row.block_id),
      relation,
    ).toEqual(ids.slice(2));
  }
});
