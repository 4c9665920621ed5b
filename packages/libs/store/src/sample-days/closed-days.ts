import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { dateOf } from './packed-partitions.ts';

/** The advisory lock of closed days: seals hold it shared, and what closes, deletes or converts days alone. */
const CLOSED_DAYS_LOCK = 7_115_030_004;

/** How long after its end a day is closed, ms: most late samples are in chunks by then. */
export const CLOSES_AFTER_MS = 2 * HOUR_MS;
/** A seal need not look at days that ended less than this ago, ms. The clock of the writer that closes may be an hour ahead. */
const STAYS_OPEN_MS = HOUR_MS;
/** `closed_to` of a day of which all blocks are closed, also those that are yet to be created. */
export const ALL_BLOCKS = 2_147_483_647;

/** Whether the day that begins at `day` (ms) may be closed at `now` (ms), or is about to be. */
export function mayBeClosed(day: number, now: number): boolean {
  return day + DAY_MS + STAYS_OPEN_MS <= now;
}

/**
 * Keeps days from being closed until the transaction ends. To be called before anything is read of them, in a transaction in
 * which each statement has a snapshot of its own (read committed).
 */
export async function holdClosedDays(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${CLOSED_DAYS_LOCK}::bigint)`;
}

/** Waits for all who hold closed days, and keeps others away until the transaction ends. */
export async function takeClosedDays(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${CLOSED_DAYS_LOCK}::bigint)`;
}

/** Up to which block each of these days (starts in ms) is closed; 0 for a day of which none is. */
export async function readClosedTo(tx: Queryable, days: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx<{ day: number; closed_to: number }[]>`
    select (d.day::timestamp at time zone 'UTC') as day, coalesce(c.closed_to, 0) as closed_to
    from unnest(${days.map(dateOf)}::date[]) as d (day) left join closed_days c on c.day = d.day`;
  return new Map(rows.map((row) => [row.day, row.closed_to]));
}

/** Notes that all blocks of a day up to `closedTo` are closed. */
export async function noteClosedTo(
  tx: Transaction,
  day: number,
  closedTo: number,
  now: number,
): Promise<void> {
  await tx`
    insert into closed_days (day, closed_to, closed_at)
    values (${dateOf(day)}::date, ${closedTo}, ${now}::timestamptz)
    on conflict (day) do update set closed_to = excluded.closed_to, closed_at = excluded.closed_at`;
}
