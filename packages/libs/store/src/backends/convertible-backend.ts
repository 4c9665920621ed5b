import { perRollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { Sql } from '@tidewatch/database/connection';
import { sampleStateOf, writesLayout } from '../sample-log/sample-layout.ts';
import type { StorageBackend } from './storage-backend.ts';

/**
 * The storage backend of a database whose samples may be converted from rows to a log while it is open: each operation asks which
 * layouts are written. `rows` and `log` share their partitions.
 */
export function openConvertibleBackend(sql: Sql, rows: StorageBackend, log: StorageBackend): StorageBackend {
  const writesRows = async () => writesLayout(await sampleStateOf(sql), 'rows');
  const writesLog = async () => writesLayout(await sampleStateOf(sql), 'log');
  return {
    name: rows.name,
    layouts: ['rows', 'log'],
    partitions: rows.partitions,
    late: null,
    async ensurePartitions(now, fence) {
      const created = (await writesRows()) ? await rows.ensurePartitions(now, fence) : 0;
      return created + ((await writesLog()) ? await log.ensurePartitions(now, fence) : 0);
    },
    enforceRetention: async (now, fence) =>
      (await writesRows()) ? await rows.enforceRetention(now, fence) : await log.enforceRetention(now, fence),
    drain: async (now, limit, quietMs, fence) =>
      (await writesRows()) ? await rows.drain(now, limit, quietMs, fence) : 0,
    countDirty: async (now) => ((await writesRows()) ? await rows.countDirty(now) : perRollupTier(() => 0)),
  };
}
