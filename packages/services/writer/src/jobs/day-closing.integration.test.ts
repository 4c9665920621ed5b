import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { storeForTest } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { ensurePackedPartitions } from '@tidewatch/store/sample-days/packed-partitions';
import { expect, it } from 'vitest';
import { createCounting } from '../testing/writer.harness.ts';
import { createWriterMeters } from '../writer-metrics.ts';
import { createDayClosing } from './day-closing.ts';

const DAY = Date.UTC(2026, 10, 20);

it('days are closed once their samples have stopped coming, the oldest first, and damaged chunks are logged as errors', async () => {
  const { sql } = await storeForTest({ as: 'product' });
  const days = [DAY, DAY + DAY_MS];
  await ensurePackedPartitions(sql, { sample_chunks: days });
  const write = (day: number, block: number, time = day) =>
    sql.begin(async (tx) => {
      const data = encodeChunk({ times: Float64Array.of(time), slots: [Float64Array.of(block)] });
      await tx`
        insert into sample_chunks (block_id, first, last, data)
        values (${block}, ${time}::timestamptz, ${time}::timestamptz, ${data})`;
      await tx`select pg_stat_force_next_flush()`;
    });
  for (const day of days) for (const block of [1, 2]) await write(day, block);
  await sql`update sample_chunks set data = '\\x01' where block_id = 2 and first = ${DAY}::timestamptz`;
  const errors: unknown[] = [];
  const { counts, metrics } = createCounting();
  let now = DAY + DAY_MS + 2 * HOUR_MS - 1;
  const close = createDayClosing({
    sql,
    clock: () => now,
    meters: createWriterMeters(metrics),
    logger: Object.assign(createSilentLogger(), { error: (fields: unknown) => errors.push(fields) }),
  });
  const round = () => close(async () => {});
  const closed = async () => {
    const rows =
      await sql`select block_id, (day::timestamp at time zone 'UTC') as day from sample_days order by 2, 1`;
    return rows.map((row) => [row.block_id, row.day]);
  };

  expect(await round()).toBe(60_000);
  expect(await closed()).toEqual([]);
  now += 1;
  expect(await round()).toBe(60_000);
  now += 14 * MINUTE_MS;
  await write(DAY, 1, DAY + 1);
  expect(await round()).toBe(60_000);
  now += 14 * MINUTE_MS;
  expect(await round()).toBe(60_000);
  expect(await closed()).toEqual([]);
  now += MINUTE_MS;
  await round();
  expect(await closed()).toEqual([[1, DAY]]);
  expect(errors).toMatchObject([{ relation: 'sample_chunks', blockId: 2, rows: 1, day: '2026-11-20' }]);
  expect(await round()).toBe(60_000);
  now = DAY + 3 * DAY_MS + 2 * HOUR_MS;
  await write(DAY + DAY_MS, 2, DAY + DAY_MS + 1);
  await round();
  expect(await closed()).toEqual([
    [1, DAY],
    [1, DAY + DAY_MS],
    [2, DAY + DAY_MS],
  ]);
  expect(await round()).toBe(60_000);
  expect(counts.get('tidewatch_writer_block_days_closed_total')).toBe(4);
});
