import { openStore } from '@tidewatch/database/connection';
import { expect, it } from 'vitest';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import { describeSchema, readMajorVersion } from './description/describe-schema.ts';
import type { EmptyDatabase } from './earlier-schema.contract.ts';
import { migrate } from './migrate.ts';

/**
 * Compares a migrated database with the checked-in description `schema/BACKEND.sql`. To write the description again after a change:
 * `npm test -- packages/libs/store/src/schema/ --update`.
 */
export function itHasTheDescribedSchema(
  backend: StorageBackendName,
  postgresVersion: number,
  startEmpty: () => Promise<EmptyDatabase>,
): void {
  it(`has the schema that schema/${backend}.sql describes once it is migrated with the storage backend ${backend}`, async (context) => {
    const database = await startEmpty();
    const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'public', max: 2 });
    try {
      const version = await readMajorVersion(sql);
      if (version !== postgresVersion)
        context.skip(`PostgreSQL ${version} words definitions otherwise than ${postgresVersion}`);
      await migrate(sql, { backend });
      const text = `-- What the migrations make with the storage backend ${backend}, as PostgreSQL ${postgresVersion} words it. Written by a test.\n\n${await describeSchema(sql)}`;
      await expect(text).toMatchFileSnapshot(`../../schema/${backend}.sql`);
    } finally {
      await close();
      await database.close();
    }
  });
}
