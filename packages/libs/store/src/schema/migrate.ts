/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, each in its own transaction, under one advisory lock.
 * A small runner, since the libraries that exist bring a driver of their own.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { decideBackend, StorageBackendError } from '../backends/choice.ts';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import type { Sql } from '../database/connection.ts';

export type MigrationErrorCode =
  | 'edited'
  | 'missing'
  | 'newer_schema'
  | 'misnumbered'
  | 'storage_backend'
  | 'failed';

/** The schema cannot be brought to this version; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
  readonly code: MigrationErrorCode;
  constructor(code: MigrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** SHA-256 of the file, hexadecimal. */
  checksum: string;
}

export interface MigrateOptions {
  /** Time recorded as `applied_at`, milliseconds since the epoch. Default: the server's. */
  now?: number;
  /** Folder of the files. Default: the package's own. */
  directory?: string;
  /** The storage backend of an empty database. Default: the fullest that the server offers. */
  backend?: StorageBackendName | undefined;
}

const LOCK_KEY = 8_230_001;
/** The folder of the migrations that this version brings. */
export const PACKAGED_MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** `NNNN_name.sql` is for every storage backend, `NNNN_name.<suffix>.sql` for some; the others record it as empty. */
const FILE = /^\d{4}_\w+(?:\.(timescaledb|community))?\.sql$/;
const BACKENDS_OF: Record<string, readonly StorageBackendName[]> = {
  timescaledb: ['apache', 'community'],
  community: ['community'],
};

/** Reads the migrations of a folder in order of their numbers, which run from 1 without a gap. */
export async function readMigrations(
  directory: string = PACKAGED_MIGRATIONS,
  backend: StorageBackendName = 'plain',
): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE.test(name)).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const suffix = FILE.exec(name)?.[1];
    const applies = suffix === undefined || BACKENDS_OF[suffix]?.includes(backend);
    const sql = applies ? await readFile(`${directory}/${name}`, 'utf8') : '';
    const version = Number(name.slice(0, 4));
    if (version !== migrations.length + 1) {
      throw new MigrationError(
        'misnumbered',
        `Migration ${name} should have number ${migrations.length + 1}.`,
      );
    }
    migrations.push({ version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return migrations;
}

function checkHistory(
  known: readonly Migration[],
  applied: readonly { version: number; name: string; checksum: string }[],
) {
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
          `applied ${row.checksum.slice(0, 12)}). Restore the file; changes go into a new migration.`,
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

/**
 * Applies the pending migrations with `adminSql`, a role that may create roles and schemas. Returns the applied versions. Throws
 * MigrationError.
 */
export async function migrate(adminSql: Sql, options: MigrateOptions = {}): Promise<number[]> {
  const session = await adminSql.reserve();
  try {
    await session`select set_config('statement_timeout', '0', false)`;
    await session`select pg_advisory_lock(${LOCK_KEY}::bigint)`;
    try {
      const backend = await decideBackend(session, options.backend);
      const known = await readMigrations(options.directory, backend);
      await session`
        create table if not exists public.tidewatch_schema_migrations (
          version integer primary key, name text not null, checksum text not null,
          applied_at timestamptz not null default now())`;
      const applied = await session<{ version: number; name: string; checksum: string }[]>`
        select version, name, checksum from public.tidewatch_schema_migrations order by version`;
      checkHistory(known, applied);
      const pending = known.slice(applied.length);
      for (const migration of pending) await apply(session, migration, backend, options.now);
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
  now: number | undefined,
): Promise<void> {
  await session`begin`;
  try {
    await session`select set_config('tidewatch.storage_backend', ${backend}, true)`;
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
