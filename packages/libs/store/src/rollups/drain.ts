import {
  coarserOf,
  perRollupTier,
  ROLLUP_TIERS,
  type RollupTier,
  TIER_FACTS,
} from '@tidewatch/contracts/rollups/tiers';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { TIER_MS } from '@tidewatch/domain/rollup/buckets';
import type { Fence } from '../leases/lease.ts';
import type { Partitions } from '../retention/partitions.ts';
import { AGGREGATES_OF_ROLLUPS, AGGREGATES_OF_SAMPLES, ROLLUP_COLUMNS } from './rollup-columns.ts';

/** How long a coarse bucket waits after it was marked, if its block has no later bucket, ms. */
export const QUIET_MS = 20_000;

export interface DrainRound {
  /** The number of marks deleted in this round. */
  drained: number;
}

/**
 * Recomputes at most `limit` marked buckets of one tier that ended before `now` (ms), in one transaction, and deletes their
 * marks; each recomputed bucket marks that of the next coarser tier. A bucket whose source rows were dropped keeps its row.
 * A coarse bucket without a later bucket of its block waits `quietMs` first.
 */
export function drainTier(
  sql: Sql,
  partitions: Partitions,
  tier: RollupTier,
  now: number,
  limit: number,
  quietMs = QUIET_MS,
  fence?: Fence,
): Promise<DrainRound> {
  return transact(sql, async (tx) => {
    const marks =
      tier === '1m' ? await takeMinutes(tx, now, limit) : await takeCoarse(tx, tier, now, limit, quietMs);
    if (marks.length === 0) return { drained: 0 };
    await fence?.(tx);
    if (tier === '1m' && !marks.every((mark) => partitions.has('samples', mark.bucket)))
      await partitions.load(tx);
    // A bucket whose raw rows were dropped cannot be recomputed, and keeps its row.
    const live = tier === '1m' ? marks.filter((mark) => partitions.has('samples', mark.bucket)) : marks;
    if (live.length > 0) await recompute(tx, partitions, tier, live);
    return { drained: marks.length };
  });
}

interface Mark {
  block_id: number;
  bucket: number;
}

function takeMinutes(tx: Transaction, now: number, limit: number) {
  return tx<Mark[]>`
    delete from dirty_buckets where (tier, block_id, bucket) in (
      select tier, block_id, bucket from dirty_buckets
      where tier = '1m' and bucket <= ${now - MINUTE_MS}::timestamptz
      order by block_id, bucket limit ${limit} for update skip locked)
    returning block_id, bucket`;
}

// A coarse bucket is ready if none of its finer buckets is dirty and its block has a later bucket.
function takeCoarse(
  tx: Transaction,
  tier: Exclude<RollupTier, '1m'>,
  now: number,
  limit: number,
  quietMs: number,
) {
  const { source, settleMs } = TIER_FACTS[tier];
  const width = `${TIER_MS[tier] / 1000} seconds`;
  return tx<Mark[]>`
    delete from dirty_buckets where (tier, block_id, bucket) in (
      select d.tier, d.block_id, d.bucket from dirty_buckets d
      where d.tier = ${tier} and d.bucket <= ${now - TIER_MS[tier] - settleMs}::timestamptz
        and not exists (
          select from dirty_buckets f where f.tier = ${source} and f.block_id = d.block_id
            and f.bucket >= d.bucket and f.bucket < d.bucket + ${width}::interval)
        and (d.marked_at <= now() - ${`${quietMs} milliseconds`}::interval or exists (
          select from ${tx(TIER_FACTS[source].relation)} l
          where l.block_id = d.block_id and l.bucket >= d.bucket + ${width}::interval))
      order by d.block_id, d.bucket limit ${limit} for update of d skip locked)
    returning block_id, bucket`;
}

async function recompute(tx: Transaction, partitions: Partitions, tier: RollupTier, marks: readonly Mark[]) {
  await partitions.ensure(
    tx,
    TIER_FACTS[tier].relation,
    marks.map((mark) => mark.bucket),
  );
  const written = (await tx.unsafe(RECOMPUTE[tier], [
    marks.map((mark) => mark.block_id),
    marks.map((mark) => mark.bucket / 1000),
  ])) as unknown as Mark[];
  const coarser = coarserOf(tier);
  if (coarser === undefined || written.length === 0) return;
  await tx`
    insert into dirty_buckets (tier, block_id, bucket)
    select distinct ${coarser}, d.block_id, to_timestamp(floor(d.seconds / d.width) * d.width)
    from (select unnest(${written.map((row) => row.block_id)}::integer[]) as block_id,
      unnest(${written.map((row) => row.bucket / 1000)}::float8[]) as seconds,
      ${TIER_MS[coarser] / 1000}::float8 as width) d
    order by 2, 3
    on conflict (tier, block_id, bucket) do update set marked_at = excluded.marked_at`;
}

const recomputeStatement = (tier: RollupTier) => {
  const { relation, source } = TIER_FACTS[tier];
  const [time, aggregates] =
    source === 'raw' ? ['"time"', AGGREGATES_OF_SAMPLES] : ['bucket', AGGREGATES_OF_ROLLUPS];
  const columns = ROLLUP_COLUMNS.join(', ');
  return `
    insert into ${relation} as stored (bucket, block_id, ${columns})
    select d.bucket, d.block_id, ${ROLLUP_COLUMNS.map((column) => `a.${column}`).join(', ')}
    from (select block_id, to_timestamp(seconds) as bucket
      from unnest($1::integer[], $2::float8[]) as m (block_id, seconds) order by 1, 2) d
    cross join lateral (
      select count(*) as source_rows, ${ROLLUP_COLUMNS.map((column, index) => `${aggregates[index]} as ${column}`).join(', ')}
      from ${TIER_FACTS[source].relation} s
      where s.block_id = d.block_id and s.${time} >= d.bucket
        and s.${time} < d.bucket + interval '${TIER_MS[tier] / 1000} seconds'
    ) a
    where a.source_rows > 0
    on conflict (block_id, bucket) do update set
      ${ROLLUP_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}
    ${tier === '1m' ? KEEPS_FULLER : ''}
    returning block_id, bucket`;
};
/**
 * Of two versions of a minute, keeps the row with more values: a writer may store the minute between the read of its
 * samples and this insert. Values of a minute are never deleted, so the row with fewer values is older.
 */
const KEEPS_FULLER = `where ${Array.from({ length: 16 }, (_, slot) => `coalesce(excluded.cnt${slot}, 0) >= coalesce(stored.cnt${slot}, 0)`).join(' and ')}`;
const RECOMPUTE = perRollupTier(recomputeStatement);

const COUNT_DIRTY = `select ${ROLLUP_TIERS.map(
  (tier, index) =>
    `count(*) filter (where tier = '${tier}' and bucket <= to_timestamp($${index + 1}::float8))::integer as "${tier}"`,
).join(', ')} from dirty_buckets`;

/** Counts the marks by tier, for coarse tiers only those whose bucket has ended. */
export async function countDirty(sql: Sql, now: number): Promise<Record<RollupTier, number>> {
  const [row] = (await sql.unsafe(
    COUNT_DIRTY,
    ROLLUP_TIERS.map((tier) => (now - TIER_MS[tier] - TIER_FACTS[tier].settleMs) / 1000),
  )) as unknown as Record<RollupTier, number>[];
  return row ?? perRollupTier(() => 0);
}
