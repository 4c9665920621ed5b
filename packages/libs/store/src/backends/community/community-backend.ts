import type { Sql, Transaction } from '../../database/connection.ts';
import { Chunks } from '../../retention/chunks.ts';
import { enforceRetention, type RetentionDays, type SourceTable } from '../../retention/retention.ts';
import type { RollupTier } from '../../rollups/tiers.ts';
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
    partitions,
    late: createLateBuckets(),
    async ensurePartitions() {
      const days = (count: number) => `${count} days`;
      await sql`select keep_policies(${days(retention.raw)}::interval, ${days(retention.rollup1d)}::interval,
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

async function neededFrom(tx: Transaction, table: SourceTable): Promise<number> {
  const needing = { samples: ['1m'], rollup_1m: ['1m', '1h'], rollup_1h: ['1m', '1h', '1d'] }[table];
  const rolled = { samples: 'rolled_1m', rollup_1m: 'rolled_1h', rollup_1h: 'rolled_1d' }[table];
  const [row] = await tx<{ needed: number }[]>`
    select least(p.${tx(rolled)}, (select min(bucket) from late_buckets where tier = any(${needing}::text[]))) as needed
    from rollup_progress p`;
  return row?.needed ?? Number.NEGATIVE_INFINITY;
}

/** Counts the buckets that wait for a refresh. Only buckets that were rolled up before are marked. */
async function countLate(sql: Sql): Promise<Record<RollupTier, number>> {
  const [row] = await sql<Record<RollupTier, number>[]>`
    select count(distinct bucket) filter (where tier = '1m')::integer as "1m",
      count(distinct bucket) filter (where tier = '1h')::integer as "1h",
      count(distinct bucket) filter (where tier = '1d')::integer as "1d"
    from late_buckets`;
  return row ?? { '1m': 0, '1h': 0, '1d': 0 };
}
