import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import type { Sql } from '@tidewatch/database/connection';
import { readSampleLayout } from '../sample-log/sample-layout.ts';
import { openAccumulatingBackend } from './accumulating-backend.ts';
import { readRecordedBackend, requireServed, StorageBackendError } from './choice.ts';
import { openCommunityBackend } from './community/community-backend.ts';
import { openLogBackend } from './log-backend.ts';
import type { StorageBackend } from './storage-backend.ts';

/** Opens the storage backend that the database was created with. Throws StorageBackendError if none is recorded or the server lacks it. */
export async function openStorageBackend(sql: Sql, retention: RetentionDays): Promise<StorageBackend> {
  const name = await readRecordedBackend(sql);
  if (name === null)
    throw new StorageBackendError('The database has no schema of this version. Run the migrations first.');
  await requireServed(sql, name);
  if (name === 'community') return openCommunityBackend(sql, retention);
  if ((await readSampleLayout(sql)) === 'log') return openLogBackend(name, sql, retention);
  return openAccumulatingBackend(name, sql, retention);
}
