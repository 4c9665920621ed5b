import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { closeBatch } from './close-day.ts';
import { columnsOf, DayModel, readStored, seal, wantedOf } from './day-model.harness.ts';
import { rebuildRollups } from './rebuild.ts';

const DAY = Date.UTC(2026, 10, 10);
const { sql } = await storeForFile({ as: 'product' });

it('rollups that differ from their samples or are missing are named, and mended where asked for', async () => {
  const model = new DayModel();
  const days = [DAY, DAY + DAY_MS];
  const blocks = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const day of days) {
    await seal(
      sql,
      blocks.map((blockId) => {
        const rows = [0, 1, 2].map((hour) => ({
          time: day + hour * HOUR_MS,
          row: new Map([[blockId % 16, blockId * 100 + hour]]),
        }));
        for (const { time, row } of rows) model.add(blockId, time, row);
        return { blockId, day, columns: columnsOf(rows) };
      }),
      DAY,
    );
    await closeBatch(sql, day, { now: day + 2 * DAY_MS });
  }
  const range = { from: DAY, to: DAY + 2 * DAY_MS };
  expect(await rebuildRollups(sql, { ...range, repairs: false })).toEqual({
    compared: 80,
    differing: 0,
    differences: [],
    damaged: [],
  });

  await sql`delete from packed_minutes where block_id = 3 and day = '2026-11-10'`;
  await sql`
    update packed_hours h set data = o.data from packed_hours o
    where h.block_id = 36 and o.block_id = 35 and h.day = '2026-11-11' and o.day = h.day`;
  // The month of a block has no days any more that can be read.
  await sql`update packed_days set data = '\\x01' where block_id = 40`;
  const differences = [
    { blockId: 3, day: DAY, relation: 'packed_minutes' },
    { blockId: 40, day: DAY, relation: 'packed_days' },
    { blockId: 36, day: DAY + DAY_MS, relation: 'packed_hours' },
    { blockId: 40, day: DAY + DAY_MS, relation: 'packed_days' },
  ];
  expect(await rebuildRollups(sql, { ...range, repairs: false })).toEqual({
    compared: 80,
    differing: 4,
    differences,
    damaged: [],
  });
  expect((await rebuildRollups(sql, { ...range, repairs: true })).differing).toBe(4);
  expect((await rebuildRollups(sql, { ...range, repairs: false })).differing).toBe(0);
  for (const day of days)
    for (const blockId of [3, 36, 40])
      expect(await readStored(sql, blockId, day)).toEqual(wantedOf(model, blockId, day));
});
