import type { Sql } from '@tidewatch/database/connection';
import { decideBackend, StorageBackendError } from '../backends/choice.ts';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import type { SampleLayout } from '../sample-log/sample-layout.ts';
import { checkHistory, readApplied, refuseEarlierSchema } from './history.ts';
import { MigrationError } from './migration-error.ts';
import { type Migration, readMigrations } from './migration-files.ts';

export interface MigrateOptions {
  /** Time recorded as `applied_at`, milliseconds since the epoch. Default: the server's. */
  now?: number;
  /** Folder of the migrations. Default: the package's own. */
  directory?: string;
  /** The storage backend of an empty database. Default: the fullest that the server offers. */
  backend?: StorageBackendName | undefined;
  /** How an empty database keeps samples; `community` always keeps rows. Default: `log`. */
  sampleLayout?: SampleLayout | undefined;
}

const LOCK_KEY = 8_230_001;

/**
 * Applies pending migrations (the files of each folder `migrations/NNNN_name/` in one transaction, under one advisory lock)
 * with `adminSql`, a role that may create roles and schemas. Returns the applied versions. Throws MigrationError. Own code,
 * because migration libraries bring a database driver of their own.
 */
export async function migrate(adminSql: Sql, options: MigrateOptions = {}): Promise<number[]> {
  const session = await adminSql.reserve();
  try {
    await session`select set_config('statement_timeout', '0', false)`;
    await session`select pg_advisory_lock(${LOCK_KEY}::bigint)`;
    try {
      const applied = await readApplied(session);
      refuseEarlierSchema(applied);
      const backend = await decideBackend(session, options.backend);
      const known = await readMigrations(options.directory, backend);
      await session`
        create table if not exists public.tidewatch_schema_migrations (
          version integer primary key, name text not null, checksum text not null,
          applied_at timestamptz not null default now())`;
      checkHistory(known, applied);
      const pending = known.slice(applied.length);
      for (const migration of pending) await apply(session, migration, backend, options);
      return pending.map((migration) => migration.version);
    } catch (error) {
      if (error instanceof StorageBackendError)
        throw new MigrationError('storage_backend', error.message, { cause: error });
      throw error;
    } finally {
      await session`select pg_advisory_unlock(${LOCK_KEY}::bigint)`.catch(() => {});
    }
  } finally {
    await session`reset all`.catch(() => {});
    session.release();
  }
}

async function apply(
  session: Sql,
  migration: Migration,
  backend: StorageBackendName,
  { now, sampleLayout = 'log' }: MigrateOptions,
): Promise<void> {
  await session`begin`;
  try {
    await session`select set_config('tidewatch.storage_backend', ${backend}, true),
      set_config('tidewatch.sample_layout', ${sampleLayout}, true)`;
    if (migration.sql !== '') await session.unsafe(migration.sql).simple();
    await session`reset role`;
    await session`
      insert into public.tidewatch_schema_migrations (version, name, checksum, applied_at)
      values (${migration.version}, ${migration.name}, ${migration.checksum},
        coalesce(${now ?? null}::timestamptz, now()))`;
    await session`commit`;
  } catch (cause) {
    await session`rollback`.catch(() => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError('failed', `Migration ${migration.name} failed: ${reason}`, { cause });
  }
}
