import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import type { Sql } from '@tidewatch/database/connection';
import { Chunks } from '../retention/chunks.ts';
import { PartitionSet } from '../retention/partition-set.ts';
import { readSampleState } from '../sample-log/sample-layout.ts';
import { openAccumulatingBackend } from './accumulating-backend.ts';
import { readRecordedBackend, requireServed, StorageBackendError } from './choice.ts';
import { openCommunityBackend } from './community/community-backend.ts';
import { openConvertibleBackend } from './convertible-backend.ts';
import { openLogBackend } from './log-backend.ts';
import type { StorageBackend } from './storage-backend.ts';

/** Opens the storage backend that the database was created with. Throws StorageBackendError if none is recorded or the server lacks it. */
export async function openStorageBackend(sql: Sql, retention: RetentionDays): Promise<StorageBackend> {
  const name = await readRecordedBackend(sql);
  if (name === null)
    throw new StorageBackendError('The database has no schema of this version. Run the migrations first.');
  await requireServed(sql, name);
  if (name === 'community') return openCommunityBackend(sql, retention);
  const partitions = name === 'plain' ? new PartitionSet() : new Chunks();
  const log = openLogBackend(name, sql, retention, partitions);
  const { layout, isConverting } = await readSampleState(sql);
  if (layout === 'log' && !isConverting) return log;
  const rows = openAccumulatingBackend(name, sql, retention, partitions);
  return openConvertibleBackend(sql, rows, log);
}
