import type { Sql } from '@tidewatch/database/connection';
import type { StorageBackendName } from './storage-backend.ts';

/** The server cannot serve the storage backend of the database or the requested one; the message says what to do. */
export class StorageBackendError extends Error {
  override name = 'StorageBackendError';
}

/** Earlier versions refuse columnstore policies of continuous aggregates that TimescaleDB does not refresh by a policy. */
const COMMUNITY_SINCE = { major: 2, minor: 28 };

/** Whether TimescaleDB of this version, such as `2.28.3`, and license can serve the Community edition. */
export function servesCommunity(version: string, license: string | null): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  const since = COMMUNITY_SINCE;
  return license === 'timescale' && (major > since.major || (major === since.major && minor >= since.minor));
}

/** The storage backend that the database was created with; null before the first migration. */
export async function readRecordedBackend(sql: Sql): Promise<StorageBackendName | null> {
  const [relation] = await sql<{ there: boolean }[]>`
    select to_regclass('tidewatch.storage_backend') is not null as there`;
  if (!relation?.there) return null;
  const [row] = await sql<{ name: StorageBackendName }[]>`select name from tidewatch.storage_backend`;
  return row?.name ?? null;
}

/**
 * The fullest storage backend that the server can serve. Throws StorageBackendError if the extension is installed and
 * cannot be used.
 */
export async function readOfferedBackend(sql: Sql): Promise<StorageBackendName> {
  const [server] = await sql<
    { preloaded: boolean; license: string | null; schema: string | null; version: string | null }[]
  >`
    select current_setting('timescaledb.disable_load', true) is not null as preloaded,
      current_setting('timescaledb.license', true) as license, e.extversion as version, n.nspname as schema
    from (select) as server left join pg_extension e on e.extname = 'timescaledb'
    left join pg_namespace n on n.oid = e.extnamespace`;
  if (!server?.preloaded) return 'plain';
  if (server.schema === null || server.version === null) return 'apache';
  if (server.schema !== 'public') {
    throw new StorageBackendError(
      `TimescaleDB is installed in the schema ${server.schema} of this database; Tidewatch needs it in public. ` +
        'Move it there, or use a database without it.',
    );
  }
  return servesCommunity(server.version, server.license) ? 'community' : 'apache';
}

/**
 * Decides the storage backend of a database: the recorded one, else `wanted`, else the fullest that the server offers, for
 * which it creates the extension. Throws StorageBackendError if the server cannot serve it.
 */
export async function decideBackend(sql: Sql, wanted?: StorageBackendName): Promise<StorageBackendName> {
  const recorded = await readRecordedBackend(sql);
  if (recorded !== null) {
    if (wanted !== undefined && wanted !== recorded) {
      throw new StorageBackendError(
        `This database was created with the storage backend ${recorded} and cannot become ${wanted}. ` +
          'docs/storage-backends.md, "From plain to TimescaleDB", says how to move its data into a new database.',
      );
    }
    await requireServed(sql, recorded);
    return recorded;
  }
  const backend = wanted ?? (await fullest(sql));
  if (backend !== 'plain') await createExtension(sql);
  await requireServed(sql, backend);
  return backend;
}

/** Throws StorageBackendError unless the server can serve the storage backend. */
export async function requireServed(sql: Sql, backend: StorageBackendName): Promise<void> {
  if (backend === 'plain') return;
  const offered = await readOfferedBackend(sql);
  if (offered === 'community' || offered === backend) return;
  const lacking =
    offered === 'plain'
      ? 'the server does not load TimescaleDB (shared_preload_libraries)'
      : `the server has the Apache edition only, its TimescaleDB is older than ${COMMUNITY_SINCE.major}.${COMMUNITY_SINCE.minor}, or timescaledb.license is not set to timescale`;
  throw new StorageBackendError(
    `This database needs TimescaleDB's ${backend === 'community' ? 'Community' : 'Apache'} backend, and ${lacking}. ` +
      'Use a server that has it. Nothing was changed.',
  );
}

async function fullest(sql: Sql): Promise<StorageBackendName> {
  if ((await readOfferedBackend(sql)) === 'plain') return 'plain';
  await createExtension(sql);
  return await readOfferedBackend(sql);
}

async function createExtension(sql: Sql): Promise<void> {
  const [available] = await sql`select from pg_available_extensions where name = 'timescaledb'`;
  if (available === undefined) throw new StorageBackendError('TimescaleDB is not installed on this server.');
  try {
    await sql`create extension if not exists timescaledb schema public`;
  } catch (cause) {
    throw new StorageBackendError(
      `The extension timescaledb could not be created: ${cause instanceof Error ? cause.message : cause}. ` +
        'Let a superuser create it in this database, in the schema public, or choose the storage backend plain.',
      { cause },
    );
  }
}
