import type { Sql } from './connection.ts';
import type { Fence } from './leases/lease.ts';
import { PartitionSet } from './retention/partitions.ts';
import { type Dropped, enforceRetention, ensureAhead, type RetentionDays } from './retention/retention.ts';
import { countDirty, drainTier } from './rollups/drain.ts';
import type { RollupTier } from './rollups/tiers.ts';

/**
 * What differs between the servers that Tidewatch stores in; the relations and what they answer are the same.
 * All times are milliseconds since the epoch. A `fence` goes before the work of each transaction.
 */
export interface Edition {
  readonly name: 'plain' | 'apache' | 'community';
  readonly partitions: PartitionSet;
  /** Creates what rows of the next two days need; answers how many partitions were created. */
  ensurePartitions(now: number, fence?: Fence): Promise<number>;
  enforceRetention(now: number, fence?: Fence): Promise<Dropped>;
  /** Recomputes dirty buckets, at most `limit` of each tier; answers how many marks it took away. */
  drain(now: number, limit: number, quietMs?: number, fence?: Fence): Promise<number>;
  countDirty(now: number): Promise<Record<RollupTier, number>>;
  /** Whether the writer accumulates in-order minutes itself. */
  readonly accumulates: boolean;
}

/** PostgreSQL without extensions: range partitions, rollups by the writer and by dirty buckets. */
export function openPlainEdition(sql: Sql, retention: RetentionDays): Edition {
  const partitions = new PartitionSet();
  return {
    name: 'plain',
    partitions,
    accumulates: true,
    ensurePartitions: (now, fence) => ensureAhead(sql, partitions, now, retention, fence),
    enforceRetention: (now, fence) => enforceRetention(sql, partitions, now, retention, fence),
    drain: async (now, limit, quietMs, fence) => {
      let drained = 0;
      for (const tier of ['1m', '1h', '1d'] as const) {
        drained += (await drainTier(sql, partitions, tier, now, limit, quietMs, fence)).drained;
      }
      return drained;
    },
    countDirty: (now) => countDirty(sql, now),
  };
}
