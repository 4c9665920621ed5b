import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { type Copy, copyInTurn } from '@tidewatch/database/copy/copy';
import { type ChunkColumns, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { decodeRollupRow, encodeRollupRow } from '@tidewatch/domain/chunk/rollup-row';
import {
  HOURS_PER_DAY,
  MINUTES_PER_DAY,
  rollUpBySlot,
  type SlotRollups,
} from '@tidewatch/domain/rollup/day-rollups';
import { daysOfMonth, monthOf, withDay } from '@tidewatch/domain/rollup/month-rollups';
import { BackgroundTurn } from '../event-loop/background-turn.ts';
import { keepDamaged } from '../sample-damage/keep-damaged.ts';
import { dateOf, ensurePackedPartitions, type PackedRelation } from './packed-partitions.ts';

/** All samples of a block and UTC day. */
export interface BlockDay {
  blockId: number;
  /** The start of the day, ms. */
  day: number;
  columns: ChunkColumns;
}

/** Stored bytes that cannot be read. */
export interface DamagedRows {
  relation: 'sample_chunks' | 'sample_days' | 'packed_days';
  blockId: number;
  /** The start of the day, ms. */
  day: number;
  /** How many rows of the block and day are damaged. */
  rows: number;
  /** Why the first of them cannot be read. */
  error: MalformedBytesError;
}

/** A row of one of the relations with a row for each block and day, or month. */
interface PackedRow {
  blockId: number;
  /** The start of the day or month, ms. */
  day: number;
  data: Buffer;
}

/** The rows of days that `packDays` encoded. */
export interface PackedDays {
  samples: PackedRow[];
  minutes: PackedRow[];
  hours: PackedRow[];
  /** Each day as a step of its month. */
  days: { blockId: number; day: number; rollups: SlotRollups }[];
}

type PackableDay = BlockDay & { stored?: Buffer | undefined };

/**
 * Encodes days, and their rollups. Leaves out days that are the same as what is `stored` of them. Yields to the event loop in
 * between.
 */
export async function packDays(
  blockDays: Iterable<PackableDay> | AsyncIterable<PackableDay>,
): Promise<PackedDays> {
  const packed: PackedDays = { samples: [], minutes: [], hours: [], days: [] };
  const turn = new BackgroundTurn();
  for await (const { blockId, day, columns, stored } of blockDays) {
    const data = encodeChunk(columns);
    if (stored?.equals(data)) continue;
    packed.samples.push({ blockId, day, data });
    if (turn.isOver) await turn.yieldWhenDue();
    const bySlot = rollUpBySlot(columns, day);
    let step = bySlot.next();
    for (; !step.done; step = bySlot.next()) if (turn.isOver) await turn.yieldWhenDue();
    const rollups = step.value;
    packed.minutes.push({ blockId, day, data: encodeRollupRow(MINUTES_PER_DAY, rollups.minutes) });
    packed.hours.push({ blockId, day, data: encodeRollupRow(HOURS_PER_DAY, rollups.hours) });
    packed.days.push({ blockId, day, rollups: rollups.day });
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return packed;
}

/**
 * Writes days with their rollups in place of what is stored of these blocks and days. The caller keeps others from writing
 * them (`takeClosedDays`, or `holdClosedDays` if no other transaction has these blocks). Returns months that are damaged: these
 * move to `damaged_samples`, and days of the call alone take their place.
 */
export async function writeDays(tx: Transaction, packed: PackedDays): Promise<DamagedRows[]> {
  const { samples, minutes, hours, days } = packed;
  if (days.length === 0) return [];
  // Converted days may have rollups alone: a partition of samples would say that samples of the day are kept.
  const daysOf = (rows: readonly { day: number }[]) => new Set(rows.map(({ day }) => day));
  await ensurePackedPartitions(tx, {
    sample_days: daysOf(samples),
    packed_minutes: daysOf(minutes),
    packed_hours: daysOf(hours),
    packed_days: daysOf(days),
  });
  for (const [day, own] of Map.groupBy(days, (row) => row.day)) {
    const ids = own.map(({ blockId }) => blockId);
    for (const relation of ['sample_days', 'packed_minutes', 'packed_hours'])
      await tx`delete from ${tx(relation)} where day = ${dateOf(day)}::date and block_id = any(${ids}::integer[])`;
  }
  const months = await takeMonths(tx, days);
  await copyRows(tx, {
    sample_days: samples,
    packed_minutes: minutes,
    packed_hours: hours,
    packed_days: months.rows,
  });
  return months.damaged;
}

/** Removes the rows of the months of these days, and returns them with the days in their places. */
async function takeMonths(tx: Transaction, days: PackedDays['days']) {
  const rows: PackedRow[] = [];
  const damaged: DamagedRows[] = [];
  for (const [month, own] of Map.groupBy(days, ({ day }) => monthOf(day))) {
    const byBlock = Map.groupBy(own, ({ blockId }) => blockId);
    const stored = await tx<{ block_id: number; data: Buffer }[]>`
      delete from packed_days where month = ${dateOf(month)}::date and block_id = any(${[...byBlock.keys()]}::integer[])
      returning block_id, data`;
    const before = new Map(stored.map((row) => [row.block_id, row.data]));
    for (const [blockId, ofBlock] of byBlock) {
      const { slots: stored, error } = decodeMonth(before.get(blockId));
      if (error !== null) {
        damaged.push({ relation: 'packed_days', blockId, day: month, rows: 1, error });
        const data = before.get(blockId) as Buffer;
        await keepDamaged(tx, [{ relation: 'packed_days', place: { blockId }, day: month, error, data }]);
      }
      let slots = stored;
      for (const { day, rollups } of ofBlock) slots = withDay(slots, rollups, day);
      rows.push({ blockId, day: month, data: encodeRollupRow(daysOfMonth(month), slots ?? []) });
    }
  }
  return { rows, damaged };
}

/** The rollups of the days of a month; null if nothing is stored, or what is cannot be read. */
export function decodeMonth(data: Buffer | undefined): {
  slots: SlotRollups | null;
  error: MalformedBytesError | null;
} {
  try {
    return { slots: data === undefined ? null : decodeRollupRow(data).slots, error: null };
  } catch (error) {
    if (error instanceof MalformedBytesError) return { slots: null, error };
    throw error;
  }
}

/** Copies rows into relations. */
async function copyRows(
  tx: Transaction,
  rows: Partial<Record<Exclude<PackedRelation, 'sample_chunks'>, readonly PackedRow[]>>,
): Promise<void> {
  const buffer = new BinaryRows();
  const copies: Copy[] = Object.entries(rows).map(([relation, own]) => ({
    statement: `copy ${relation} (block_id, ${relation === 'packed_days' ? 'month' : 'day'}, data) from stdin (format binary)`,
    pieces: encode(own, buffer),
  }));
  await copyInTurn(tx, copies);
}

function* encode(rows: readonly PackedRow[], into: BinaryRows): Generator<Uint8Array> {
  into.reset();
  for (const { blockId, day, data } of rows) {
    if (into.isFull) yield into.take();
    into.row(3, 24);
    into.int4(blockId);
    into.date(day);
    into.bytes(data);
  }
  yield into.finish();
}
