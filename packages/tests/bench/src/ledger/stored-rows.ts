import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { Range, Samples } from '@tidewatch/store/series/series-columns';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { type Plan, timeOf } from '../load/plan.ts';
import type { StoredRow } from './check.ts';

/** About how many values one transaction reads. */
const MAX_VALUES = 1_500_000;
const MAX_BLOCKS = 500;

/** Reads the samples of blocks as the product reads them, whatever their layout: one row for each block and time, in order. */
export async function* readStoredRows(
  sql: Sql,
  plan: Plan,
  blockIds: readonly number[],
): AsyncGenerator<StoredRow> {
  const ticksOfDay = Math.max(1, Math.min(plan.ticks, DAY_MS / plan.stepMs));
  const fitting = Math.floor(MAX_VALUES / (ticksOfDay * SLOTS_PER_BLOCK));
  const portion = Math.max(1, Math.min(MAX_BLOCKS, fitting));
  for (const range of daysOf(plan))
    for (let start = 0; start < blockIds.length; start += portion)
      yield* await readRows(sql, blockIds.slice(start, start + portion), range);
}

/** Consecutive ranges that together cover all time; within the plan each is a day. */
export function daysOf(plan: Plan): Range[] {
  const bounds = [Number.NEGATIVE_INFINITY];
  const end = timeOf(plan, plan.hosts - 1, plan.ticks);
  for (let at = Math.ceil(plan.startMs / DAY_MS) * DAY_MS; at < end; at += DAY_MS) bounds.push(at);
  bounds.push(Number.POSITIVE_INFINITY);
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] as number, to }));
}

/** Runs `read` in one snapshot of the database. */
export async function inSnapshot<R>(
  sql: Sql,
  read: (tx: Parameters<typeof storedSeries.know>[0]) => Promise<R>,
) {
  return (await sql.begin('isolation level repeatable read read only', read)) as R;
}

async function readRows(sql: Sql, blockIds: readonly number[], range: Range): Promise<Generator<StoredRow>> {
  const spans = blockIds.flatMap((blockId) =>
    Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => ({ blockId, slot, ...range })),
  );
  const found = await inSnapshot(sql, (tx) => storedSeries.samples(tx, spans, { withBackfill: true }));
  return rowsOf(blockIds, found);
}

function* rowsOf(blockIds: readonly number[], found: readonly Samples[]): Generator<StoredRow> {
  for (const [index, block] of blockIds.entries()) {
    const slots = found.slice(index * SLOTS_PER_BLOCK, (index + 1) * SLOTS_PER_BLOCK);
    for (const row of joinSlots(slots)) yield { block, ...row };
  }
}

/** Joins the samples of slots by their times. A time that a slot has twice becomes a row of its own. */
export function* joinSlots(slots: readonly Samples[]): Generator<Omit<StoredRow, 'block'>> {
  const next = slots.map(() => 0);
  for (;;) {
    let time = Number.POSITIVE_INFINITY;
    for (const [slot, { times }] of slots.entries())
      time = Math.min(time, times[next[slot] as number] ?? time);
    if (time === Number.POSITIVE_INFINITY) return;
    const values = slots.map(({ times, values: own }, slot) => {
      const at = next[slot] as number;
      if (times[at] !== time) return null;
      next[slot] = at + 1;
      return own[at] as number;
    });
    yield { time, values };
  }
}
