import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import { ALL_BLOCKS, CLOSES_AFTER_MS, noteClosedTo, takeClosedDays } from '../sample-days/closed-days.ts';
import { convertBlocks } from './convert-blocks.ts';
import type { DayPart } from './day-part.ts';
import { findSourceDays, type SourceDay } from './source-days.ts';

/** How many blocks one transaction converts: of a day with samples, with minutes, and with hours alone. */
const BLOCKS_WITH_SAMPLES = 16;
const BLOCKS_WITH_MINUTES = 64;
const BLOCKS_WITH_HOURS = 1_024;

/** What one day became. */
export interface ConvertedDay {
  /** The start of the day, ms. */
  day: number;
  /** How many blocks were compared, and how many of them were written. */
  compared: number;
  written: number;
}

export interface ConversionOptions {
  /** ms */
  now: number;
  /** The max number of blocks that one transaction converts. */
  maxBlocks?: number;
  /** Called after each transaction. */
  committed?: () => void;
  /** Called after each day. */
  converted?: (day: ConvertedDay) => void;
}

/**
 * Converts samples and rollups of every day, newest first. What an earlier run has converted is compared, and is written again
 * only where rows have changed since. Rows stay as they are.
 */
export async function convertDays(sql: Sql, options: ConversionOptions): Promise<number> {
  const { now, converted } = options;
  const days = await findSourceDays(sql);
  for (const source of days) {
    const isOpen = source.day + DAY_MS + CLOSES_AFTER_MS > now;
    await prepareDay(sql, source.day, isOpen);
    const done = await convertDay(sql, source, isOpen, options);
    if (!isOpen) await transact(sql, (tx) => noteClosedTo(tx, source.day, ALL_BLOCKS, now));
    converted?.(done);
  }
  return days.length;
}

/** Removes what an earlier run wrote while the day was open, or by a clock that was ahead. */
async function prepareDay(sql: Sql, day: number, isOpen: boolean): Promise<void> {
  if (isOpen) await sql`delete from closed_days where day = ${day}::timestamptz::date`;
  else
    await sql`
      delete from sample_chunks where first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`;
}

async function convertDay(
  sql: Sql,
  { day, hasSamples, hasMinutes }: SourceDay,
  isOpen: boolean,
  { maxBlocks = BLOCKS_WITH_HOURS, committed }: ConversionOptions,
): Promise<ConvertedDay> {
  const size = hasSamples ? BLOCKS_WITH_SAMPLES : hasMinutes ? BLOCKS_WITH_MINUTES : BLOCKS_WITH_HOURS;
  const limit = Math.min(size, maxBlocks);
  const done: ConvertedDay = { day, compared: 0, written: 0 };
  for (let after = 0; ; ) {
    const rows = await sql<{ id: number }[]>`
      select id from blocks where id > ${after} order by id limit ${limit}`;
    const last = rows.at(-1);
    if (last === undefined) return done;
    after = last.id;
    const part: DayPart = { blockIds: rows.map(({ id }) => id), day, isOpen };
    done.written += await transact(sql, async (tx) => {
      await takeClosedDays(tx);
      // Statistics of young partitions may be missing, and a plan without the index would read all of it for each part.
      await tx`set local enable_seqscan = off`;
      return await convertBlocks(tx, part);
    });
    done.compared += rows.length;
    committed?.();
  }
}
