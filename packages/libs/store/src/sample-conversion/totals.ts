import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import type { SlotRollups } from '@tidewatch/domain/rollup/day-rollups';
import { summand } from '@tidewatch/domain/rollup/summand';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';

/** Sums are added in other orders by PostgreSQL: the difference allowed, as a share of count × max magnitude. */
const ALLOWED_SHARE = 1e-9;

/** What all values of a slot add up to. */
export interface SlotTotals {
  sum: number;
  count: number;
  min: number;
  max: number;
}

/** What the samples or the rollups of a block and day add up to. */
export interface BlockTotals {
  rows: number;
  /** By slot; null for one without values. */
  slots: readonly (SlotTotals | null)[];
}

export const NOTHING: BlockTotals = { rows: 0, slots: new Array<null>(SLOTS_PER_BLOCK).fill(null) };

/** Adds up samples, one value after the other. */
export function totalsOfSamples(pieces: readonly ChunkColumns[]): BlockTotals {
  const slots = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => {
    const totals = { sum: 0, count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    for (const piece of pieces)
      for (const value of piece.slots[slot] ?? []) {
        if (Number.isNaN(value)) continue;
        totals.sum += summand(value);
        totals.count += 1;
        totals.min = Math.min(totals.min, value);
        totals.max = Math.max(totals.max, value);
      }
    return totals.count === 0 ? null : totals;
  });
  return { rows: pieces.reduce((sum, { times }) => sum + times.length, 0), slots };
}

/** Adds up the steps `from` to before `to` of rollups. */
export function totalsOfRollups(rollups: SlotRollups, from: number, to: number): BlockTotals {
  const slots = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => {
    const columns = rollups[slot] ?? null;
    if (columns === null) return null;
    const totals = { sum: 0, count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    for (let step = from; step < to; step += 1) {
      if (Number.isNaN(columns.counts[step])) continue;
      totals.sum += columns.sums[step] as number;
      totals.count += columns.counts[step] as number;
      totals.min = Math.min(totals.min, columns.mins[step] as number);
      totals.max = Math.max(totals.max, columns.maxs[step] as number);
    }
    return totals.count === 0 ? null : totals;
  });
  return { rows: to - from, slots };
}

/** Says in which slot written values differ from those that were read; null if in none. */
export function differenceOf(read: BlockTotals, written: BlockTotals): string | null {
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    const [before, after] = [read.slots[slot] ?? null, written.slots[slot] ?? null];
    if (before === null && after === null) continue;
    if (before === null || after === null || !isSame(before, after))
      return `slot ${slot} had ${textOf(before)} and has ${textOf(after)}`;
  }
  return null;
}

/** Whether any slot has more values in `read` than in `written`. */
export function hasMore(read: BlockTotals, written: BlockTotals): boolean {
  return read.slots.some((slot, at) => (slot?.count ?? 0) > (written.slots[at]?.count ?? 0));
}

function isSame(before: SlotTotals, after: SlotTotals): boolean {
  const allowed = ALLOWED_SHARE * before.count * Math.max(Math.abs(before.min), Math.abs(before.max));
  return (
    before.count === after.count &&
    before.min === after.min &&
    before.max === after.max &&
    Math.abs(before.sum - after.sum) <= allowed
  );
}

const textOf = (totals: SlotTotals | null) =>
  totals === null
    ? 'no values'
    : `${totals.count} values with sum ${totals.sum}, minimum ${totals.min} and maximum ${totals.max}`;
