import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import type { Transaction } from '@tidewatch/database/connection';
import { type ChunkColumns, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { encodeRollupRow } from '@tidewatch/domain/chunk/rollup-row';
import {
  HOURS_PER_DAY,
  MINUTES_PER_DAY,
  rollUpDay,
  type SlotRollups,
} from '@tidewatch/domain/rollup/day-rollups';
import { coarserRollups, fullerRollups } from '@tidewatch/domain/rollup/fuller-rollups';
import { type PackedDays, packDays } from '../sample-days/block-days.ts';
import type { DayPart, RowTotals } from './day-part.ts';
import { readRollups, readSamples } from './read-rows.ts';
import { hasMore, NOTHING } from './totals.ts';

const MINUTES_PER_HOUR = MINUTES_PER_DAY / HOURS_PER_DAY;
const NO_ROLLUPS: SlotRollups = [];

/** The rows of a block's rollups. */
type RollupsOf = (blockId: number) => Record<'minutes' | 'hours' | 'day', SlotRollups>;

/**
 * Packs the rows of blocks and a day. Rollups are computed from samples; where rows of rollups have more values, as after raw
 * retention, these stay.
 */
export async function packBlockDays(
  tx: Transaction,
  { blockIds, day }: DayPart,
  totals: RowTotals,
): Promise<PackedDays> {
  const fuller = blockIds.filter((blockId) => {
    const samples = totals.samples.get(blockId) ?? NOTHING;
    return ROLLUP_TIERS.some((tier) => hasMore(totals.rollups[tier].get(blockId) ?? NOTHING, samples));
  });
  const rollupsOf = await readFuller(tx, fuller, day);
  const packed: PackedDays = { samples: [], minutes: [], hours: [], days: [] };
  const withoutSamples = new Set(fuller);
  for await (const { blockId, columns } of readSamples(tx, blockIds, day)) {
    if (withoutSamples.delete(blockId)) packFuller(packed, { blockId, day, columns }, rollupsOf);
    else {
      const own = await packDays([{ blockId, day, columns }]);
      for (const name of ['samples', 'minutes', 'hours'] as const) packed[name].push(...own[name]);
      packed.days.push(...own.days);
    }
  }
  for (const blockId of withoutSamples) packFuller(packed, { blockId, day, columns: null }, rollupsOf);
  return packed;
}

async function readFuller(tx: Transaction, blockIds: readonly number[], day: number): Promise<RollupsOf> {
  if (blockIds.length === 0) return () => ({ minutes: NO_ROLLUPS, hours: NO_ROLLUPS, day: NO_ROLLUPS });
  const minutes = await readRollups(tx, '1m', blockIds, day);
  const hours = await readRollups(tx, '1h', blockIds, day);
  const days = await readRollups(tx, '1d', blockIds, day);
  return (blockId) => ({
    minutes: minutes.get(blockId) ?? NO_ROLLUPS,
    hours: hours.get(blockId) ?? NO_ROLLUPS,
    day: days.get(blockId) ?? NO_ROLLUPS,
  });
}

/** Adds a block whose rollups have values that its samples lack. */
function packFuller(
  packed: PackedDays,
  { blockId, day, columns }: { blockId: number; day: number; columns: ChunkColumns | null },
  rollupsOf: RollupsOf,
): void {
  const stored = rollupsOf(blockId);
  const computed = columns === null ? null : rollUpDay(columns, day);
  if (columns !== null) packed.samples.push({ blockId, day, data: encodeChunk(columns) });
  const minutes = fullerRollups(computed?.minutes ?? NO_ROLLUPS, stored.minutes);
  const hours = fullerRollups(
    fullerRollups(computed?.hours ?? NO_ROLLUPS, stored.hours),
    coarserRollups(minutes, MINUTES_PER_HOUR),
  );
  const ofDay = fullerRollups(
    fullerRollups(computed?.day ?? NO_ROLLUPS, stored.day),
    coarserRollups(hours, HOURS_PER_DAY),
  );
  if (hasAny(minutes)) packed.minutes.push({ blockId, day, data: encodeRollupRow(MINUTES_PER_DAY, minutes) });
  if (hasAny(hours)) packed.hours.push({ blockId, day, data: encodeRollupRow(HOURS_PER_DAY, hours) });
  packed.days.push({ blockId, day, rollups: ofDay });
}

const hasAny = (rollups: SlotRollups) => rollups.some((slot) => slot !== null);
