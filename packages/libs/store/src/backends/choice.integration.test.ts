import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { storeForTest } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { migrate } from '../schema/migrate.ts';
import { readOfferedBackend } from './choice.ts';
import { openStorageBackend } from './open-storage-backend.ts';

it('refuses a database whose storage backend the server cannot serve', async () => {
  const { sql } = await storeForTest({ max: 2 });
  const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: Error) => error.name);
  const offered = await readOfferedBackend(sql);
  await sql`update storage_backend set name = ${offered === 'plain' ? 'apache' : 'community'}`;
  // A server with TimescaleDB Community serves every storage backend.
  const wanted = offered === 'community' ? [null, null] : ['StorageBackendError', 'MigrationError'];
  const opened = await failure(openStorageBackend(sql, DEFAULT_RETENTION_DAYS));
  expect([opened, await failure(migrate(sql))]).toEqual(wanted);
});
