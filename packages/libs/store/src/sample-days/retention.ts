import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { Fence } from '../leases/lease.ts';
import { rawFloor } from '../retention/retention.ts';
import { ALL_BLOCKS, readClosedTo } from './closed-days.ts';
import {
  dateOf,
  dropPackedPartitions,
  ensurePackedPartitions,
  PACKED_SPANS,
  type PackedRelation,
  readPartitionDays,
} from './packed-partitions.ts';

/** How long the chunks of a closed day stay for transactions that began before it was closed, ms. */
const CHUNKS_STAY_MS = HOUR_MS;
const RELATIONS = Object.keys(PACKED_SPANS) as PackedRelation[];

export interface PackedRound {
  /** ms */
  now: number;
  fence?: Fence | undefined;
}

/**
 * Creates the partitions from yesterday to 48 h ahead; returns how many. None for chunks of a closed day, which would be dropped
 * again: that waits for all who read chunks, and they for it.
 */
export async function ensurePackedAhead(sql: Sql, { now, fence }: PackedRound): Promise<number> {
  const days = [-1, 0, 1, 2].map((ago) => bucketOf(now + ago * DAY_MS, DAY_MS));
  let created = 0;
  for (const relation of RELATIONS)
    created += await transact(sql, async (tx) => {
      await fence?.(tx);
      const closedTo = relation === 'sample_chunks' ? await readClosedTo(tx, days) : null;
      const wanted = days.filter((day) => closedTo?.get(day) !== ALL_BLOCKS);
      return await ensurePackedPartitions(tx, { [relation]: wanted });
    });
  return created;
}

/**
 * Drops partitions of packed samples whose retention has ended, and the chunks of days that were closed an hour ago; returns
 * their names. Samples of a day that is not closed are kept, however old.
 */
export async function enforcePackedRetention(
  sql: Sql,
  retention: RetentionDays,
  { now, fence }: PackedRound,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const relation of RELATIONS)
    dropped.push(
      ...(await transact(sql, async (tx) => {
        // As for partitions of rows: a long query delays this, rather than what would queue behind its lock.
        await tx`set local lock_timeout = '2s'`;
        await fence?.(tx);
        const before = await boundOf(tx, relation, retention, now);
        return before === null ? [] : await dropPackedPartitions(tx, relation, before);
      })),
    );
  // Until the coarsest rollups of a day are gone, since a day that was closed is never closed again.
  await transact(sql, async (tx) => {
    await fence?.(tx);
    if (dropped.length > 0)
      await tx`delete from closed_days where day < ${dateOf(now - retention['1d'] * DAY_MS)}::date`;
  });
  return dropped;
}

/** The time (ms) up to which partitions end that may be dropped; null for none. */
async function boundOf(
  tx: Transaction,
  relation: PackedRelation,
  retention: RetentionDays,
  now: number,
): Promise<number | null> {
  if (relation === 'packed_minutes') return now - retention['1m'] * DAY_MS;
  if (relation === 'packed_hours') return now - retention['1h'] * DAY_MS;
  if (relation === 'packed_days') return now - retention['1d'] * DAY_MS;
  if (relation === 'sample_chunks') return await oldestNeeded(tx, now - CHUNKS_STAY_MS);
  const unclosed = await oldestNeeded(tx, now);
  return Math.min(rawFloor(now - HOUR_MS, retention), unclosed ?? Number.POSITIVE_INFINITY);
}

/** The start of the oldest day with chunks that was not closed by `closedBy` (ms); null if no day has chunks. */
async function oldestNeeded(tx: Transaction, closedBy: number): Promise<number | null> {
  const days = await readPartitionDays(tx, 'sample_chunks');
  const last = days.at(-1);
  if (last === undefined) return null;
  const rows = await tx<{ day: number }[]>`
    select (day::timestamp at time zone 'UTC') as day from closed_days
    where closed_to = ${ALL_BLOCKS} and closed_at <= ${closedBy}::timestamptz`;
  const closed = new Set(rows.map((row) => row.day));
  return days.find((day) => !closed.has(day)) ?? last + DAY_MS;
}
