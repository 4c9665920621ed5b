import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { perRollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { Sql } from '@tidewatch/database/connection';
import type { Partitions } from '../retention/partitions.ts';
import { enforceRetention, ensureAhead } from '../retention/retention.ts';
import { dropDamaged } from '../sample-damage/retention.ts';
import { enforcePackedRetention, ensurePackedAhead } from '../sample-days/retention.ts';
import { enforceSnapshotRetention, ensureChunksAhead } from '../snapshots/packed/retention.ts';
import type { StorageBackend } from './storage-backend.ts';

/**
 * The storage backend of databases that keep samples as a log, in plain PostgreSQL or with TimescaleDB's Apache edition. Rollups are
 * computed once a day is closed, so nothing is ever out of date.
 */
export function openLogBackend(
  name: 'plain' | 'apache',
  sql: Sql,
  retention: RetentionDays,
  partitions: Partitions,
): StorageBackend {
  return {
    name,
    layouts: ['log'],
    partitions,
    late: null,
    ensurePartitions: async (now, fence) => {
      const tables = ['samples_backfill'] as const;
      const created = await ensureAhead(sql, partitions, now, retention, { fence, tables });
      const packed = await ensurePackedAhead(sql, { now, fence });
      return created + packed + (await ensureChunksAhead(sql, { now, fence }));
    },
    enforceRetention: async (now, fence) => {
      const round = { partitions, neededFrom: nothingIsNeeded, now, retention, fence };
      const dropped = await enforceRetention(sql, round);
      dropped.partitions.push(...(await enforcePackedRetention(sql, retention, { now, fence })));
      dropped.partitions.push(...(await enforceSnapshotRetention(sql, retention, { now, fence })));
      await dropDamaged(sql, retention, { now, fence });
      return dropped;
    },
    drain: async () => 0,
    countDirty: async () => perRollupTier(() => 0),
  };
}

async function nothingIsNeeded(): Promise<number> {
  return Number.POSITIVE_INFINITY;
}
