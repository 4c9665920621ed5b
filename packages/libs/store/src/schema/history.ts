import type { Queryable } from '@tidewatch/database/connection';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './migration-files.ts';

/** A row of the record of applied migrations. */
export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** The name of the first migration of the schema from before the baseline. */
const EARLIER_FIRST = '0001_schema.sql';
/** The last version of the schema from before the baseline, of which backups can be restored. */
export const LAST_EARLIER_SCHEMA = 46;

/** Reads the applied migrations in order; empty for a database without a schema. Writes nothing. */
export async function readApplied(sql: Queryable): Promise<AppliedMigration[]> {
  const [relation] = await sql<{ there: boolean }[]>`
    select to_regclass('public.tidewatch_schema_migrations') is not null as there`;
  if (!relation?.there) return [];
  return await sql<AppliedMigration[]>`
    select version, name, checksum from public.tidewatch_schema_migrations order by version`;
}

/** Whether the database was made by migrations from before the baseline. */
export function isEarlierSchema(applied: readonly AppliedMigration[]): boolean {
  return applied[0]?.name === EARLIER_FIRST;
}

/** Throws MigrationError `earlier_schema` for a database from before the baseline. */
export function refuseEarlierSchema(applied: readonly AppliedMigration[]): void {
  if (!isEarlierSchema(applied)) return;
  const last = applied.at(-1);
  throw new MigrationError(
    'earlier_schema',
    `The database was made by an earlier, unreleased version of Tidewatch: its last migration is ${last?.name ?? EARLIER_FIRST} ` +
      `(earlier schema ${last?.version ?? 1}). Its tables have other names, and this version does not change them. Nothing was changed. ` +
      'docs/operations.md, "From an earlier schema", says how to carry its data over.',
  );
}

/** Throws MigrationError unless the applied migrations are the first ones of the known migrations. */
export function checkHistory(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const row of applied) {
    const migration = known[row.version - 1];
    if (migration === undefined) {
      throw new MigrationError(
        'newer_schema',
        `The database has schema version ${row.version} (${row.name}), this program knows ${known.length}. ` +
          'It was migrated by a newer Tidewatch: start that version, or export with it and import here.',
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        'edited',
        `Migration ${migration.name} is not the one that was applied (checksum ${migration.checksum.slice(0, 12)}, ` +
          `applied ${row.checksum.slice(0, 12)}). Restore its files; changes go into a new migration.`,
      );
    }
  }
  if (applied.length > 0 && applied.length !== Math.max(...applied.map((row) => row.version))) {
    throw new MigrationError(
      'missing',
      'The record of applied migrations has gaps: restore it from a backup.',
    );
  }
}
