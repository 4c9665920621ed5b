import type { Sql } from '../database/connection.ts';
import type { EditionName } from './storage-backend.ts';

/** The database is of an edition that this server cannot serve, or cannot be made one; the message says what to do. */
export class EditionError extends Error {
  override name = 'EditionError';
}

/** Before that TimescaleDB refuses to drop several hypertables in one statement, which a migration does. */
const COMMUNITY_SINCE = { major: 2, minor: 23 };

/** Whether TimescaleDB of this version, such as `2.28.3`, and license can serve the Community edition. */
export function servesCommunity(version: string, license: string | null): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat);
  const since = COMMUNITY_SINCE;
  return license === 'timescale' && (major > since.major || (major === since.major && minor >= since.minor));
}

/** The edition that the database was made as; null before that. */
export async function recordedEdition(sql: Sql): Promise<EditionName | null> {
  const [relation] = await sql<{ there: boolean }[]>`
    select to_regclass('tidewatch.store_edition') is not null as there`;
  if (!relation?.there) return null;
  const [row] = await sql<{ name: EditionName }[]>`select name from tidewatch.store_edition`;
  return row?.name ?? null;
}

/** The fullest edition that the server can serve. Throws EditionError for an extension where it cannot be used. */
export async function offeredEdition(sql: Sql): Promise<EditionName> {
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
    throw new EditionError(
      `TimescaleDB lies in the schema ${server.schema} of this database; Tidewatch looks for it in public. ` +
        'Move it there, or use a database without it.',
    );
  }
  return servesCommunity(server.version, server.license) ? 'community' : 'apache';
}

/**
 * The edition to bring a database up as: the one that it was made as, else `wanted`, else the fullest that the server
 * offers, for which the extension is created. A database that had partitions before editions were recorded is plain.
 * Throws EditionError where the server cannot serve it.
 */
export async function decideEdition(sql: Sql, wanted?: EditionName): Promise<EditionName> {
  const recorded = await recordedEdition(sql);
  if (recorded !== null) {
    if (wanted !== undefined && wanted !== recorded) {
      throw new EditionError(
        `This database was made as the edition ${recorded} and cannot become ${wanted}. ` +
          'docs/storage-backends.md, "From plain to TimescaleDB", says how to move its data into a new database.',
      );
    }
    await confirmServed(sql, recorded);
    return recorded;
  }
  const edition = (await hasPartitions(sql)) ? 'plain' : (wanted ?? (await fullest(sql)));
  if (edition !== 'plain') await createExtension(sql);
  if (wanted !== undefined && wanted !== edition) {
    throw new EditionError(
      `This database holds data in partitions of plain PostgreSQL and cannot become ${wanted}.`,
    );
  }
  await confirmServed(sql, edition);
  return edition;
}

/** Throws EditionError unless the server has what the edition needs. */
export async function confirmServed(sql: Sql, edition: EditionName): Promise<void> {
  if (edition === 'plain') return;
  const offered = await offeredEdition(sql);
  if (offered === 'community' || offered === edition) return;
  const lacking =
    offered === 'plain'
      ? 'the server does not load TimescaleDB (shared_preload_libraries)'
      : `the server has the Apache edition only, its TimescaleDB is older than ${COMMUNITY_SINCE.major}.${COMMUNITY_SINCE.minor}, or timescaledb.license is not set to timescale`;
  throw new EditionError(
    `This database needs TimescaleDB's ${edition === 'community' ? 'Community' : 'Apache'} edition, and ${lacking}. ` +
      'Give it a server that has it. Nothing was changed.',
  );
}

async function fullest(sql: Sql): Promise<EditionName> {
  if ((await offeredEdition(sql)) === 'plain') return 'plain';
  await createExtension(sql);
  return await offeredEdition(sql);
}

async function createExtension(sql: Sql): Promise<void> {
  const [available] = await sql`select from pg_available_extensions where name = 'timescaledb'`;
  if (available === undefined) throw new EditionError('TimescaleDB is not installed on this server.');
  try {
    await sql`create extension if not exists timescaledb schema public`;
  } catch (cause) {
    throw new EditionError(
      `The extension timescaledb could not be created: ${cause instanceof Error ? cause.message : cause}. ` +
        'Let a superuser create it in this database, in the schema public, or choose the edition plain.',
      { cause },
    );
  }
}

async function hasPartitions(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from pg_inherits i where i.inhparent = any (array(
      select to_regclass('tidewatch.' || name)::oid
      from unnest(array['samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots']) as r (name)
    ))) as found`;
  return row?.found ?? false;
}
