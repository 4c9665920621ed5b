import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import {
  COARSEST_TIER,
  coarserOf,
  perRollupTier,
  ROLLUP_TIERS,
  type RollupTier,
  type SourceTier,
} from '@tidewatch/contracts/rollups/tiers';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { Chunks } from '../../retention/chunks.ts';
import { enforceRetention, tiersComputedFrom } from '../../retention/retention.ts';
import type { StorageBackend } from '../storage-backend.ts';
import { createLateBuckets } from './late-buckets.ts';
import { refreshRollups } from './refresh.ts';

/** Late rows are rolled up at this interval: a refresh computes a bucket for all hosts, however few rows were late. */
const LATE_INTERVAL_MS = 10_000;

/** TimescaleDB's Community edition: continuous aggregates that the drain refreshes, columnstore and policies. */
export function openCommunityBackend(sql: Sql, retention: RetentionDays): StorageBackend {
  const partitions = new Chunks();
  let lateAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'community',
    layouts: ['rows'],
    partitions,
    late: createLateBuckets(),
    async ensurePartitions() {
      const days = (count: number) => `${count} days`;
      await sql`select keep_policies(${days(retention.raw)}::interval, ${days(retention[COARSEST_TIER])}::interval,
        ${days(retention.snapshots)}::interval)`;
      return 0;
    },
    enforceRetention: (now, fence) =>
      enforceRetention(sql, { partitions, neededFrom, now, retention, fence }),
    async drain(now, limit, quietMs, fence) {
      const late = quietMs === 0 || Math.abs(now - lateAt) >= LATE_INTERVAL_MS;
      if (late) lateAt = now;
      return await refreshRollups(sql, { now, limit, late, fence });
    },
    countDirty: () => countLate(sql),
  };
}

async function neededFrom(tx: Transaction, source: SourceTier): Promise<number> {
  const [row] = await tx<{ needed: number }[]>`
    select least(p.${tx(`rolled_${coarserOf(source)}`)}, (select min(bucket) from late_buckets where tier = any(${tiersComputedFrom(source)}::text[]))) as needed
    from rollup_progress p`;
  return row?.needed ?? Number.NEGATIVE_INFINITY;
}

const COUNT_LATE = `select ${ROLLUP_TIERS.map(
  (tier) => `count(distinct bucket) filter (where tier = '${tier}')::integer as "${tier}"`,
).join(', ')} from late_buckets`;

/** Counts the buckets that wait for a refresh. Only buckets that were rolled up before are marked. */
async function countLate(sql: Sql): Promise<Record<RollupTier, number>> {
  const [row] = (await sql.unsafe(COUNT_LATE)) as unknown as Record<RollupTier, number>[];
  return row ?? perRollupTier(() => 0);
}
