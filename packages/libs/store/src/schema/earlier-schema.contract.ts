import { readFile } from 'node:fs/promises';
import { openStore } from '@tidewatch/database/connection';
import { expect, it } from 'vitest';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import { migrate } from './migrate.ts';

/** A database without a schema; `adminUrl` connects as the superuser. */
export interface EmptyDatabase {
  adminUrl: string;
  close(): Promise<void>;
}

/** Tests how each storage backend treats a database with the schema from before the baseline. */
export function itRefusesTheEarlierSchema(
  backend: StorageBackendName,
  start: () => Promise<EmptyDatabase>,
): void {
  it(`refuses a database of the earlier schema on ${backend}, names its last migration and the way out, and changes nothing`, async () => {
    const database = await start();
    const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'public', max: 2 });
    try {
      const fixture = new URL(`./fixtures/earlier-schema.${backend}.sql`, import.meta.url);
      await sql.unsafe(await readFile(fixture, 'utf8')).simple();
      const read = async () => [
        await sql`select c.oid, c.relname from pg_class c where c.relnamespace = 'tidewatch'::regnamespace order by 1`,
        await sql`select extname from pg_extension order by 1`,
        await sql`select version, name from tidewatch_schema_migrations order by 1`,
        await sql`select name from tidewatch.organizations`,
        await sql`select v0 from tidewatch.samples`,
      ];
      const before = await read();
      const refused = await migrate(sql).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: 'MigrationError', code: 'earlier_schema' });
      expect(String(refused)).toContain('0046_firing_not_notified.sql (earlier schema 46)');
      expect(String(refused)).toContain('docs/operations.md, "From an earlier schema"');
      expect(await read()).toEqual(before);
    } finally {
      await close();
      await database.close();
    }
  });
}
