import {
  coarserOf,
  perRollupTier,
  ROLLUP_TIERS,
  type RollupTier,
  TIER_FACTS,
} from '@tidewatch/contracts/rollups/tiers';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { postgres } from '@tidewatch/database/driver';
import { bucketOf, TIER_MS } from '@tidewatch/domain/rollup/buckets';
import type { Fence } from '../../leases/lease.ts';
import { SEAL_LOCK } from './late-buckets.ts';
import { cut, type Window, windowsOf } from './windows.ts';

/** A minute is sealed this long after its end, so that rows that arrive shortly after it need no second refresh. */
const SEAL_AFTER_MS = 10_000;
const MAX_WINDOWS = 16;
const LOCK_NOT_AVAILABLE = '55P03';

interface Progress {
  sealed_to: number;
  rolled: Record<RollupTier, number>;
  /** The time from which on each tier's source has all of its rows, ms. */
  whole: Record<RollupTier, number>;
}

interface Mark {
  id: number;
  bucket: number;
}

export interface RefreshRound {
  /** ms */
  now: number;
  /** The maximum number of marks of each tier. */
  limit: number;
  /** Whether buckets with late rows are refreshed too, besides those that have ended. */
  late: boolean;
  fence?: Fence | undefined;
}

/**
 * Rolls up the buckets that ended since the last round and, with `late`, those with late rows; returns how many marks it
 * deleted. Deletes only marks that it read before the refresh, so that rows which arrive meanwhile keep theirs. A bucket
 * that is refreshed again marks the coarser bucket around it.
 */
export async function refreshRollups(sql: Sql, round: RefreshRound): Promise<number> {
  const { now, fence, limit } = round;
  await seal(sql, bucketOf(now - SEAL_AFTER_MS, MINUTE_MS), fence);
  const progress = await readProgress(sql);
  const { rolled } = progress;
  let taken = 0;
  for (const tier of ROLLUP_TIERS) {
    const { source, settleMs } = TIER_FACTS[tier];
    const ended = source === 'raw' ? progress.sealed_to : Math.min(rolled[source], now - settleMs);
    const target = Math.max(rolled[tier], bucketOf(ended, TIER_MS[tier]));
    const marks = round.late
      ? await sql<Mark[]>`select id, bucket from late_buckets where tier = ${tier} order by id limit ${limit}`
      : [];
    if (marks.length === 0 && target === rolled[tier]) continue;
    await refresh(sql, tier, progress, target, marks);
    await transact(sql, async (tx) => {
      await fence?.(tx);
      await finish(tx, tier, target, marks);
    });
    rolled[tier] = target;
    taken += marks.length;
  }
  return taken;
}

async function finish(tx: Transaction, tier: RollupTier, target: number, marks: readonly Mark[]) {
  const coarser = coarserOf(tier);
  if (coarser !== undefined && marks.length > 0) {
    const width = TIER_MS[coarser];
    const buckets = new Set(marks.map((mark) => bucketOf(mark.bucket, width) / 1000));
    await tx`
      insert into late_buckets (tier, bucket)
      select ${coarser}, to_timestamp(m.seconds) from unnest(${[...buckets]}::float8[]) as m (seconds)
      join rollup_progress p on to_timestamp(m.seconds) < p.${tx(`rolled_${coarser}`)}`;
  }
  await tx`delete from late_buckets where id = any(${marks.map((mark) => mark.id)}::bigint[])`;
  const column = tx(`rolled_${tier}`);
  await tx`update rollup_progress set ${column} = greatest(${column}, ${target}::timestamptz)`;
}

/**
 * Raises the time before which rows count as late. Waits briefly for writers that hold the lock; after a timeout the next
 * round retries.
 */
async function seal(sql: Sql, until: number, fence: Fence | undefined): Promise<void> {
  const [row] = await sql<
    { open: boolean }[]
  >`select sealed_to < ${until}::timestamptz as open from rollup_progress`;
  if (!row?.open) return;
  try {
    await transact(sql, async (tx) => {
      await fence?.(tx);
      await tx`set local lock_timeout = '2s'`;
      await tx`select pg_advisory_xact_lock(${SEAL_LOCK}::bigint)`;
      await tx`update rollup_progress set sealed_to = greatest(sealed_to, ${until}::timestamptz)`;
    });
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && error.code === LOCK_NOT_AVAILABLE)) throw error;
  }
}

async function readProgress(sql: Sql): Promise<Progress> {
  const [row] = await sql<Record<string, number>[]>`select * from rollup_progress`;
  if (row === undefined) throw new Error('rollup_progress has no row');
  const tiers = (name: string) => perRollupTier((tier) => row[`${name}_${tier}`] as number);
  return { sealed_to: row.sealed_to as number, rolled: tiers('rolled'), whole: tiers('whole') };
}

async function refresh(
  sql: Sql,
  tier: RollupTier,
  progress: Progress,
  target: number,
  marks: readonly Mark[],
): Promise<void> {
  // A bucket whose source rows were partly or all dropped keeps its stored rollup.
  const whole = progress.whole[tier];
  const late = marks.map((mark) => mark.bucket).filter((bucket) => bucket >= whole);
  const ended = { from: Math.max(progress.rolled[tier], whole), to: target };
  const windows = [
    ...windowsOf(late, TIER_MS[tier], MAX_WINDOWS, TIER_FACTS[tier].maxRefreshMs),
    ...(ended.to - ended.from <= TIER_FACTS[tier].maxRefreshMs
      ? [ended]
      : await windowsWithChunks(sql, tier, ended)),
  ];
  for (const { from, to } of windows) {
    if (from >= to) continue;
    await sql`
      call public.refresh_continuous_aggregate(${`tidewatch.${TIER_FACTS[tier].relation}`}::regclass,
        ${from}::timestamptz, ${to}::timestamptz)`;
  }
}

/** The parts of a long range for which the source has chunks, as windows that one call can refresh. */
async function windowsWithChunks(sql: Sql, tier: RollupTier, { from, to }: Window): Promise<Window[]> {
  const chunks = await sql<Window[]>`
    select greatest(c.range_start, ${from}::timestamptz) as from, least(c.range_end, ${to}::timestamptz) as to
    from public.show_chunks(${`tidewatch.${TIER_FACTS[TIER_FACTS[tier].source].relation}`}::regclass) as s (chunk)
    join timescaledb_information.chunks c on format('%I.%I', c.chunk_schema, c.chunk_name)::regclass = s.chunk
    where c.range_start < ${to}::timestamptz and c.range_end > ${from}::timestamptz
    order by 1`;
  const width = TIER_MS[tier];
  return chunks.flatMap((chunk) =>
    cut(
      { from: bucketOf(chunk.from, width), to: Math.ceil(chunk.to / width) * width },
      TIER_FACTS[tier].maxRefreshMs,
    ),
  );
}
