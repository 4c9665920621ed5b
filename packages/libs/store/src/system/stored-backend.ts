import type { Queryable } from '@tidewatch/database/connection';
import type { StorageBackendName } from '../backends/storage-backend.ts';

/** Reads which storage backend the database was made with. */
export async function readStorageBackend(sql: Queryable): Promise<StorageBackendName> {
  const [row] = await sql<{ name: StorageBackendName }[]>`select name from storage_backend`;
  if (row === undefined) throw new Error('the database has no storage backend');
  return row.name;
}
