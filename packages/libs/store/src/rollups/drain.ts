import { DAY_MS, HOUR_MS, MINUTE_MS, TIER_MS } from '@tidewatch/domain/rollup/tier';
import { type Sql, type Transaction, transact } from '../database/connection.ts';
import type { Fence } from '../leases/lease.ts';
import type { Partitions } from '../retention/partitions.ts';
import { AGGREGATES_OF_ROLLUPS, AGGREGATES_OF_SAMPLES, ROLLUP_COLUMNS, type RollupTier } from './tiers.ts';

const COARSER: Record<RollupTier, RollupTier | undefined> = { '1m': '1h', '1h': '1d', '1d': undefined };
const SOURCE: Record<RollupTier, { table: string; time: string; aggregates: string[] }> = {
  '1m': { table: 'samples', time: '"time"', aggregates: AGGREGATES_OF_SAMPLES },
  '1h': { table: 'rollup_1m', time: 'bucket', aggregates: AGGREGATES_OF_ROLLUPS },
  '1d': { table: 'rollup_1h', time: 'bucket', aggregates: AGGREGATES_OF_ROLLUPS },
};
/** How long a finished hour or day is left alone, so that its last minutes have come in. */
export const SETTLE: Record<RollupTier, number> = { '1m': 0, '1h': 2 * MINUTE_MS, '1d': 5 * MINUTE_MS };
/** How long a mark waits where nothing later tells that the block has moved past its bucket. */
export const QUIET_MS = 20_000;

export interface DrainRound {
  /** Marks taken in this round. */
  drained: number;
}

/**
 * Recomputes at most `limit` dirty buckets of one tier in one transaction and takes their marks away; each
 * recomputed bucket marks the one of the next coarser tier. `now` in ms: only buckets that have ended count.
 * A bucket whose source rows are gone keeps the row it has. A coarse bucket waits `quietMs` after its mark where
 * nothing later tells that its block has moved past it.
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
    // Only what has its source: a bucket whose raw rows were dropped must never be recomputed.
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

// A coarse bucket is ready once none of the finer buckets in it is dirty and its block has moved past it.
function takeCoarse(tx: Transaction, tier: '1h' | '1d', now: number, limit: number, quietMs: number) {
  const finer = tier === '1h' ? '1m' : '1h';
  const width = `${TIER_MS[tier] / 1000} seconds`;
  return tx<Mark[]>`
    delete from dirty_buckets where (tier, block_id, bucket) in (
      select d.tier, d.block_id, d.bucket from dirty_buckets d
      where d.tier = ${tier} and d.bucket <= ${now - TIER_MS[tier] - SETTLE[tier]}::timestamptz
        and not exists (
          select from dirty_buckets f where f.tier = ${finer} and f.block_id = d.block_id
            and f.bucket >= d.bucket and f.bucket < d.bucket + ${width}::interval)
        and (d.marked_at <= now() - ${`${quietMs} milliseconds`}::interval or exists (
          select from ${tx(SOURCE[tier].table)} l
          where l.block_id = d.block_id and l.bucket >= d.bucket + ${width}::interval))
      order by d.block_id, d.bucket limit ${limit} for update of d skip locked)
    returning block_id, bucket`;
}

async function recompute(tx: Transaction, partitions: Partitions, tier: RollupTier, marks: readonly Mark[]) {
  await partitions.ensure(
    tx,
    `rollup_${tier}`,
    marks.map((mark) => mark.bucket),
  );
  const written = (await tx.unsafe(RECOMPUTE[tier], [
    marks.map((mark) => mark.block_id),
    marks.map((mark) => mark.bucket / 1000),
  ])) as unknown as Mark[];
  const coarser = COARSER[tier];
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
  const { table, time, aggregates } = SOURCE[tier];
  const columns = ROLLUP_COLUMNS.join(', ');
  return `
    insert into rollup_${tier} as stored (bucket, block_id, ${columns})
    select d.bucket, d.block_id, ${ROLLUP_COLUMNS.map((column) => `a.${column}`).join(', ')}
    from (select block_id, to_timestamp(seconds) as bucket
      from unnest($1::integer[], $2::float8[]) as m (block_id, seconds) order by 1, 2) d
    cross join lateral (
      select count(*) as source_rows, ${ROLLUP_COLUMNS.map((column, index) => `${aggregates[index]} as ${column}`).join(', ')}
      from ${table} s
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
 * A writer may append the minute after its samples were read here and before it is stored: what is there then counts more. No
 * value of a minute ever goes, so what counts fewer is older. A minute that is changed in any other way is marked again.
 */
const KEEPS_FULLER = `where ${Array.from({ length: 16 }, (_, slot) => `coalesce(excluded.cnt${slot}, 0) >= coalesce(stored.cnt${slot}, 0)`).join(' and ')}`;
const RECOMPUTE: Record<RollupTier, string> = {
  '1m': recomputeStatement('1m'),
  '1h': recomputeStatement('1h'),
  '1d': recomputeStatement('1d'),
};

/** Marks that wait, by tier; of the coarse ones only those whose bucket has ended. */
export async function countDirty(sql: Sql, now: number): Promise<Record<RollupTier, number>> {
  const [row] = await sql<Record<RollupTier, number>[]>`
    select count(*) filter (where tier = '1m' and bucket <= ${now - MINUTE_MS}::timestamptz)::integer as "1m",
      count(*) filter (where tier = '1h' and bucket <= ${now - HOUR_MS - SETTLE['1h']}::timestamptz)::integer as "1h",
      count(*) filter (where tier = '1d' and bucket <= ${now - DAY_MS - SETTLE['1d']}::timestamptz)::integer as "1d"
    from dirty_buckets`;
  return row ?? { '1m': 0, '1h': 0, '1d': 0 };
}
