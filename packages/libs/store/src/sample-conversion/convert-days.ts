import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { ALL_BLOCKS, CLOSES_AFTER_MS, mayBeClosed, noteClosedTo } from '../sample-days/closed-days.ts';
import { dateOf, ensurePackedPartitions } from '../sample-days/packed-partitions.ts';
import { convertBlocks } from './convert-blocks.ts';
import type { DayPart } from './day-part.ts';
import { findSourceDays, type SourceDay } from './source-days.ts';
import { transactAlone } from './transact-alone.ts';

/** How many blocks one transaction converts, for which seals wait: of a day with samples, with minutes, and with hours alone. */
const BLOCKS_WITH_SAMPLES = 4;
const BLOCKS_WITH_MINUTES = 32;
const BLOCKS_WITH_HOURS = 512;

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
  /** How long to rest after a transaction that took `tookMs`, ms. Default not at all. */
  restMs?: (tookMs: number) => number;
  /** Called after each transaction. */
  committed?: () => void;
  /** Called after each day. */
  converted?: (day: ConvertedDay) => void;
  /** Called once readers have changed to the log. */
  switched?: () => void;
}

/**
 * Converts samples and rollups of every day that has rows, newest first. What comes meanwhile is in the log, which is sealed onto what is
 * written here. Days that are open are converted by every run, others once. Rows stay as they are.
 */
export async function convertDays(sql: Sql, options: ConversionOptions): Promise<number> {
  const days = await findSourceDays(sql);
  for (const source of days) {
    const state = await readDayState(sql, source.day, options.now);
    if (state === 'converted') continue;
    await prepareDay(sql, source, state, options.now);
    const done = await convertDay(sql, source, state === 'open', options);
    if (state === 'closed')
      await sql`update closed_days set is_converted = true where day = ${dateOf(source.day)}::date`;
    options.converted?.(done);
  }
  return days.length;
}

/** Open days become chunks, which the job closes as any others. */
async function readDayState(sql: Sql, day: number, now: number): Promise<'open' | 'closed' | 'converted'> {
  const [row] = await sql<{ is_converted: boolean }[]>`
    select is_converted from closed_days where day = ${dateOf(day)}::date`;
  if (!mayBeClosed(day, now)) return 'open';
  if (row === undefined) return day + DAY_MS + CLOSES_AFTER_MS > now ? 'open' : 'closed';
  return row.is_converted ? 'converted' : 'closed';
}

/**
 * Closes a day before its blocks are converted: late samples are then merged into what is written of it. Their chunks from before are
 * deleted, since rows have the same. An open day may have been closed by a clock that was ahead.
 */
async function prepareDay(
  sql: Sql,
  { day, hasSamples }: SourceDay,
  state: 'open' | 'closed',
  now: number,
): Promise<void> {
  await transactAlone(sql, async (tx) => {
    if (state === 'open') {
      await tx`delete from closed_days where day = ${dateOf(day)}::date`;
      return;
    }
    if (hasSamples) await ensurePackedPartitions(tx, { sample_days: [day] });
    await noteClosedTo(tx, day, ALL_BLOCKS, now);
    await tx`delete from sample_chunks where first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`;
  });
}

async function convertDay(
  sql: Sql,
  { day, hasSamples, hasMinutes }: SourceDay,
  isOpen: boolean,
  { maxBlocks = BLOCKS_WITH_HOURS, committed, restMs }: ConversionOptions,
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
    const began = performance.now();
    done.written += await transactAlone(sql, async (tx) => {
      // Statistics of young partitions may be missing, and a plan without the index would read all of it for each part.
      await tx`set local enable_seqscan = off`;
      return await convertBlocks(tx, part);
    });
    done.compared += rows.length;
    committed?.();
    await sleep(restMs?.(performance.now() - began) ?? 0);
  }
}
