import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RowBlock, SampleRows } from '../samples/sample-rows.ts';
import { closeBatch } from './close-day.ts';
import { columnsOf, seal } from './day-model.harness.ts';
import { rewriteClosedDays } from './rewrite-closed.ts';
import { writePackedBackfill } from './write-packed-backfill.ts';

const DAY = Date.UTC(2026, 10, 10);
const NOW = DAY + 2 * DAY_MS;
const NOON = DAY + 12 * HOUR_MS;
const { sql, transact } = await storeForFile({ as: 'superuser' });

/** A closed day of block 1: slot 0 has 1 and 3 in the minute of noon, and 9 two minutes later. */
beforeEach(async () => {
  for (const relation of [
    'sample_chunks',
    'sample_days',
    'packed_minutes',
    'packed_hours',
    'packed_days',
    'closed_days',
    'samples_backfill',
  ])
    await sql`delete from ${sql(relation)}`;
  const rows = [
    [0, 100],
    [30_000, 300],
    [2 * MINUTE_MS, 900],
  ] as const;
  const columns = columnsOf(
    rows.map(([offset, value]) => ({ time: NOON + offset, row: new Map([[0, value]]) })),
  );
  await seal(sql, [{ blockId: 1, day: DAY, columns }], DAY);
  await closeBatch(sql, DAY, { now: NOW });
  await sql`select ensure_partition('samples_backfill', '2026-01-01', '2027-01-01')`;
});

/** Backfills values of slots 0 and 1 of a block; returns how many were left out. */
async function backfill(
  ...samples: [block: number, offset: number, first: number, second?: number][]
): Promise<number> {
  const rows = new SampleRows<RowBlock>();
  for (const [id, offset, first, second] of samples) {
    const row = rows.append({ id }, NOON + offset);
    rows.values[row * 16] = first;
    if (second !== undefined) rows.values[row * 16 + 1] = second;
  }
  return await transact((tx) => writePackedBackfill(tx, rows, new BinaryRows()));
}

const stored = async () => {
  const rows = await sql`select block_id, "time", v0, v1 from samples_backfill order by 1, 2`;
  return rows.map((row) => [row.block_id, row.time - NOON, row.v0, row.v1]);
};
const keepOnly = async (...relations: string[]) => {
  for (const relation of ['sample_days', 'packed_minutes', 'packed_hours', 'packed_days'])
    if (!relations.includes(relation)) await sql`delete from ${sql(relation)}`;
};

describe('backfilled samples', () => {
  it('are left out where the samples of the day have a value at their time, whatever it is', async () => {
    expect(await backfill([1, 0, 77, 5], [1, 1, 77], [2, 0, 77])).toBe(1);
    expect(await stored()).toEqual([
      [1, 0, null, 5],
      [1, 1, 77, null],
      [2, 0, 77, null],
    ]);
  });

  it.each([
    // Noon has 1 to 3; its second minute nothing; the hour 1 to 9; the day too.
    ['minutes', ['packed_minutes', 'packed_hours', 'packed_days'], [4, 2, 8]],
    ['hours', ['packed_hours', 'packed_days'], [10]],
    ['days', ['packed_days'], [10]],
  ])(
    'are left out within minimum and maximum of %s, the finest rollup that is kept',
    async (_, relations, kept) => {
      await keepOnly(...relations);
      const sent = [
        [1, 5_000, 1],
        [1, 6_000, 3],
        [1, 7_000, 4],
        [1, MINUTE_MS, 2],
        [1, 2 * MINUTE_MS, 9],
        [1, 2 * MINUTE_MS + 1, 8],
      ] as const;
      const more = relations.length === 3 ? [] : [[1, 3, 10] as const];
      expect(
        await backfill(
          ...sent.map((each) => [...each] as [number, number, number]),
          ...more.map((each) => [...each] as [number, number, number]),
        ),
      ).toBe(sent.length + more.length - kept.length);
      expect((await stored()).map(([, , value]) => value)).toEqual(kept);
    },
  );

  it('replace values that were backfilled before, also by values within the rollup', async () => {
    await backfill([1, 1, 50]);
    expect(await backfill([1, 1, 2])).toBe(0);
    expect(await stored()).toEqual([[1, 1, 2, null]]);
  });

  it('are stored whole where nothing is packed, or what is cannot be read', async () => {
    await sql`update packed_minutes set data = '\\x01'`;
    await sql`update sample_days set data = '\\x01'`;
    expect(await backfill([1, 0, 1], [3, 0, 1])).toBe(0);
    expect(await stored()).toHaveLength(2);
  });

  it('are what late samples become once the samples of their closed day are dropped', async () => {
    await sql`select drop_packed_partitions('sample_days', ${NOW}::timestamptz)`;
    const late = columnsOf([
      { time: NOON + 1, row: new Map([[0, 200]]) },
      {
        time: NOON + 2,
        row: new Map([
          [0, 400],
          [5, 100],
        ]),
      },
    ]);
    const hours = await sql`select * from packed_hours`;
    const found = await transact((tx) =>
      rewriteClosedDays(tx, [{ blockId: 1, day: DAY, columns: late }], NOW),
    );
    expect(found).toEqual({ open: [], damaged: [] });
    expect(await stored()).toEqual([[1, 2, 4, null]]);
    expect(await sql`select v5 from samples_backfill`).toEqual([{ v5: 1 }]);
    expect(await sql`select * from packed_hours`).toEqual(hours);
  });
});
