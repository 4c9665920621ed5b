import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { ROLLUP_TIERS, type SourceTier } from '@tidewatch/contracts/rollups/tiers';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { Partitions } from '../retention/partitions.ts';
import { enforceRetention, ensureAhead, tiersComputedFrom } from '../retention/retention.ts';
import { countDirty, drainTier } from '../rollups/drain.ts';
import type { StorageBackend } from './storage-backend.ts';

/**
 * The storage backend in which the writer and the drain compute rollups: on partitions of plain PostgreSQL, or on
 * hypertables of TimescaleDB's Apache edition.
 */
export function openAccumulatingBackend(
  name: 'plain' | 'apache',
  sql: Sql,
  retention: RetentionDays,
  partitions: Partitions,
): StorageBackend {
  return {
    name,
    layouts: ['rows'],
    partitions,
    late: null,
    ensurePartitions: (now, fence) => ensureAhead(sql, partitions, now, retention, { fence }),
    enforceRetention: (now, fence) =>
      enforceRetention(sql, { partitions, neededFrom: oldestMark, now, retention, fence }),
    drain: async (now, limit, quietMs, fence) => {
      let drained = 0;
      for (const tier of ROLLUP_TIERS) {
        drained += (await drainTier(sql, partitions, tier, now, limit, quietMs, fence)).drained;
      }
      return drained;
    },
    countDirty: (now) => countDirty(sql, now),
  };
}

async function oldestMark(tx: Transaction, source: SourceTier): Promise<number> {
  const [oldest] = await tx<{ bucket: number }[]>`
    select coalesce(min(bucket), 'infinity') as bucket from dirty_buckets where tier = any(${tiersComputedFrom(source)}::text[])`;
  return oldest?.bucket ?? Number.POSITIVE_INFINITY;
}
