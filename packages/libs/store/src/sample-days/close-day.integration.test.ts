import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeBatch, readClosableDays } from './close-day.ts';
import { ALL_BLOCKS, readClosedTo } from './closed-days.ts';
import { DayModel, drawDay, readStored, seal, sealIn, wantedOf } from './day-model.harness.ts';
import { rewriteClosedDays } from './rewrite-closed.ts';

const DAY = Date.UTC(2026, 9, 31);
/** Two hours after the second day. */
const NOW = DAY + 2 * DAY_MS + 2 * HOUR_MS;
const { sql, transact } = await storeForFile({ as: 'product', max: 6 });

let model: DayModel;
beforeEach(async () => {
  model = new DayModel();
  for (const relation of [
    'damaged_samples',
    'sample_chunks',
    'sample_days',
    'packed_minutes',
    'packed_hours',
    'packed_days',
    'closed_days',
  ])
    await sql`delete from ${sql(relation)}`;
});

/** Closes a day to its end; returns how many transactions it took. */
async function closeAll(day: number, maxChunks?: number): Promise<number> {
  for (let batches = 1; ; batches += 1) {
    const batch = await closeBatch(sql, day, { now: NOW, ...(maxChunks === undefined ? {} : { maxChunks }) });
    expect(batch.damaged).toEqual([]);
    if (batch.isDone) return batches;
  }
}

async function expectModel(days: readonly number[]): Promise<void> {
  for (const blockId of model.blockIds)
    for (const day of days)
      expect(await readStored(sql, blockId, day), `block ${blockId}`).toEqual(wantedOf(model, blockId, day));
}

describe('closing a day', () => {
  it('writes the samples of each block and exact rollups, in batches, over the end of a month', async () => {
    const random = createRandom(1);
    const days = [DAY, DAY + DAY_MS];
    for (let round = 0; round < 6; round += 1)
      for (const day of days)
        await seal(
          sql,
          [3, 7, 8, 40].map((block) => drawDay(random, model, block, day, 20)),
          day + 6 * HOUR_MS,
        );
    expect(await readClosableDays(sql, NOW - 1)).toEqual([DAY]);
    expect(await readClosableDays(sql, NOW)).toEqual(days);
    expect(await closeAll(DAY, 7)).toBeGreaterThan(2);
    await closeAll(DAY + DAY_MS);
    await expectModel(days);
    expect(await readClosableDays(sql, NOW)).toEqual([]);
    expect(await readClosedTo(sql, [...days, DAY - DAY_MS])).toEqual(
      new Map([
        [DAY, ALL_BLOCKS],
        [DAY + DAY_MS, ALL_BLOCKS],
        [DAY - DAY_MS, 0],
      ]),
    );
  });

  it('loses nothing when a batch is killed before its commit, and goes on from there', async () => {
    const random = createRandom(2);
    const drawn = [1, 2, 3].map((block) => drawDay(random, model, block, DAY, 30));
    await seal(sql, drawn, DAY);
    expect((await closeBatch(sql, DAY, { now: NOW, maxChunks: 1 })).isDone).toBe(false);
    await transact(async (tx) => {
      // The batch writes all of its rows, and waits for this lock to note it.
      await tx`lock table closed_days in exclusive mode`;
      const killed = expect(closeBatch(sql, DAY, { now: NOW, maxChunks: 1 })).rejects.toThrow();
      const kill = () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%into closed_days%'`;
      await expect.poll(kill).toHaveLength(1);
      await killed;
    });
    expect((await readClosedTo(sql, [DAY])).get(DAY)).toBe(1);
    expect(await sql`select distinct block_id from packed_days`).toEqual([{ block_id: 1 }]);
    await closeAll(DAY, 1);
    await expectModel([DAY]);
  });

  it('keeps a damaged chunk aside, names it, and closes the day with the others', async () => {
    const random = createRandom(3);
    await seal(sql, [drawDay(random, model, 5, DAY, 30)], DAY);
    await sql`
      insert into sample_chunks (block_id, first, last, data)
      values (5, ${DAY + DAY_MS - 1}::timestamptz, ${DAY + DAY_MS - 1}::timestamptz, '\\x0102'),
        (6, ${DAY}::timestamptz, ${DAY}::timestamptz, '\\x01')`;
    const { damaged, isDone } = await closeBatch(sql, DAY, { now: NOW });
    expect([isDone, damaged.map(({ blockId, rows }) => [blockId, rows])]).toEqual([
      true,
      [
        [5, 1],
        [6, 1],
      ],
    ]);
    await expectModel([DAY]);
    const kept = await sql`select relation, block_id, data from damaged_samples order by block_id`;
    expect(kept.map(({ relation, block_id, data }) => [relation, block_id, data.toString('hex')])).toEqual([
      ['sample_chunks', 5, '0102'],
      ['sample_chunks', 6, '01'],
    ]);
  });
});

describe('late samples', () => {
  it('of closed days change these and their rollups exactly; those of open blocks become chunks that are closed later', async () => {
    const random = createRandom(4);
    await seal(
      sql,
      [10, 20, 30].map((block) => drawDay(random, model, block, DAY, 40)),
      DAY,
    );
    await closeBatch(sql, DAY, { now: NOW, maxChunks: 1 });
    // One of a closed block, one of a block that is still open, one without any sample so far, one of the next day.
    const late = [10, 20, 25].map((block) => drawDay(random, model, block, DAY, 40));
    await seal(sql, [...late, drawDay(random, model, 10, DAY + DAY_MS, 40)], NOW);
    await closeAll(DAY, 1);
    await closeAll(DAY + DAY_MS);
    await seal(
      sql,
      [
        drawDay(random, model, 10, DAY, 5),
        drawDay(random, model, 99, DAY, 5),
        drawDay(random, model, 99, DAY + DAY_MS, 5),
      ],
      NOW,
    );
    await expectModel([DAY, DAY + DAY_MS]);
    const chunks = await sql`select from sample_chunks where block_id = 99`;
    expect(chunks).toHaveLength(0);
  });

  it('that are sealed while a day is being closed are never lost', async () => {
    const random = createRandom(5);
    const blocks = [1, 2, 3, 4, 5, 6, 7, 8];
    await seal(
      sql,
      blocks.map((block) => drawDay(random, model, block, DAY, 60)),
      DAY,
    );
    let closes = 0;
    const sealing = async () => {
      for (let round = 0; round < 20; round += 1) {
        const own = blocks
          .filter(() => random() < 0.5)
          .map((block) => drawDay(random, model, block, DAY, 10));
        await transact(async (tx) => {
          await sealIn(tx, own, NOW);
          await tx`select pg_sleep(${random() * 0.02})`;
        });
      }
    };
    const closing = async () => {
      for (;;) {
        closes += 1;
        if ((await closeBatch(sql, DAY, { now: NOW, maxChunks: 2 })).isDone) return;
        await sql`select pg_sleep(0.03)`;
      }
    };
    await Promise.all([sealing(), closing()]);
    expect(closes).toBeGreaterThan(2);
    await expectModel([DAY]);
  });

  it('that a closed day has already change nothing', async () => {
    const day = drawDay(createRandom(8), model, 1, DAY, 10);
    await seal(sql, [day], DAY);
    await closeAll(DAY);
    const versions = () =>
      Promise.all(
        ['sample_days', 'packed_minutes', 'packed_days'].map(
          (relation) => sql`select xmin from ${sql(relation)}`,
        ),
      );
    const before = await versions();
    await seal(sql, [day], NOW);
    expect(await versions()).toEqual(before);
  });

  it('of a day whose row is damaged are named and kept aside, and the row stays', async () => {
    const random = createRandom(6);
    await seal(sql, [drawDay(random, model, 1, DAY, 10)], DAY);
    await closeAll(DAY);
    await sql`update sample_days set data = '\\x0100' where block_id = 1`;
    const late = drawDay(random, model, 1, DAY, 10);
    const found = await transact((tx) => rewriteClosedDays(tx, [late], NOW));
    expect([found.open, found.damaged.map(({ blockId, day }) => [blockId, day])]).toEqual([[], [[1, DAY]]]);
    const [kept] = await sql<
      { data: Buffer }[]
    >`select data from damaged_samples where relation = 'late_samples'`;
    expect(decodeChunk((kept as { data: Buffer }).data)).toEqual(late.columns);
    expect(await sql`select from sample_days where block_id = 1 and data = '\\x0100'`).toHaveLength(1);
  });
});
