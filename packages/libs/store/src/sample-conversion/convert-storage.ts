import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { type Queryable, type Sql, transact } from '@tidewatch/database/connection';
import { readRecordedBackend } from '../backends/choice.ts';
import { Chunks } from '../retention/chunks.ts';
import { PartitionSet } from '../retention/partition-set.ts';
import { drainTier } from '../rollups/drain.ts';
import { recoverLatest } from '../rollups/recover.ts';
import { readSampleLayout } from '../sample-log/sample-layout.ts';
import { GROUP_ROLES } from '../schema/provision.ts';
import { ConversionError } from './conversion-error.ts';
import { type ConversionOptions, convertDays } from './convert-days.ts';
import { convertSnapshots } from './convert-snapshots.ts';

const ROW_RELATIONS = ['samples', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots'] as const;
const RECOVERED_BLOCKS = 500;
const DRAINED_MARKS = 5_000;
/** How often sessions of the product are read, and how long after each other, since the server ends them a little later. */
const SESSION_CHECKS = 10;
const SESSION_CHECK_MS = 200;

export interface Conversion {
  /** How many days have samples or rollups. */
  days: number;
  /** The partitions and chunks of rows that were dropped. */
  dropped: string[];
}

/**
 * Converts a database from the layout `rows` to `log`, while the product is stopped: writes all samples, rollups and snapshots
 * in the new form, recounts every block from the written bytes, then changes the layout and drops the rows in one transaction.
 * May be ended at any time, and goes on at the next call. `sql` needs a role that may read all organizations and owns the
 * schema, without a statement timeout. Throws ConversionError; rows and layout are as before then.
 */
export async function convertStorage(sql: Sql, options: ConversionOptions): Promise<Conversion> {
  const backend = await requireConvertible(sql);
  await requireStopped(sql);
  await finishRows(sql, backend, options.now);
  const days = await convertDays(sql, options);
  await convertSnapshots(sql, options.committed);
  return { days, dropped: await changeLayout(sql) };
}

async function requireConvertible(sql: Sql): Promise<'plain' | 'apache'> {
  const backend = await readRecordedBackend(sql);
  if (backend === null)
    throw new ConversionError('The database has no schema of this version. Run the migrations first.');
  if (backend === 'community')
    throw new ConversionError('TimescaleDB Community compresses rows itself: there is nothing to convert.');
  const [schema] = await sql<
    { exists: boolean }[]
  >`select to_regclass('tidewatch.closed_days') is not null as exists`;
  if (!schema?.exists)
    throw new ConversionError('The schema is older than the layout "log". Run the migrations first.');
  if ((await readSampleLayout(sql)) === 'log')
    throw new ConversionError('The database has the layout "log" already: there is nothing to convert.');
  const [row] = await sql<{ bound: boolean }[]>`select row_security_active('blocks') as bound`;
  if (row?.bound)
    throw new ConversionError(
      'The role of the connection may not read all organizations. Use that of the database superuser.',
    );
  return backend;
}

/** Throws ConversionError while processes of the product are connected, whose writes would be lost. */
async function requireStopped(sql: Queryable, checks = SESSION_CHECKS): Promise<void> {
  const names = await readSessions(sql);
  if (names.length === 0) return;
  if (checks <= 1)
    throw new ConversionError(
      `Processes of Tidewatch are connected to the database (${names.join(', ')}). Stop all of them first.`,
    );
  await new Promise((resolve) => setTimeout(resolve, SESSION_CHECK_MS));
  await requireStopped(sql, checks - 1);
}

async function readSessions(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct a.application_name || ' as ' || r.rolname as name
    from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
    where a.datname = current_database() and a.pid <> pg_backend_pid() and not r.rolsuper
      and exists (
        select from unnest(${[...GROUP_ROLES]}::text[]) g (name) join pg_roles o on o.rolname = g.name
        where r.oid <> (select oid from pg_roles where rolname = current_user) and pg_has_role(r.oid, o.oid, 'member'))
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Does what a writer of rows does after a start: the latest values, and the rollups that are out of date. */
async function finishRows(sql: Sql, backend: 'plain' | 'apache', now: number): Promise<void> {
  const [row] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from blocks`;
  for (let from = 1; from <= (row?.last ?? 0); from += RECOVERED_BLOCKS)
    await recoverLatest(sql, from, from + RECOVERED_BLOCKS - 1, now);
  const partitions = backend === 'plain' ? new PartitionSet() : new Chunks();
  for (const tier of ROLLUP_TIERS)
    while ((await drainTier(sql, partitions, tier, now, DRAINED_MARKS, 0)).drained > 0);
}

/** Makes the database keep a log, and drops the rows, in one transaction. */
function changeLayout(sql: Sql): Promise<string[]> {
  return transact(sql, async (tx) => {
    await tx`set local lock_timeout = '10s'`;
    await tx`lock table samples in access exclusive mode`;
    await requireStopped(tx, 1);
    await tx`update storage_backend set sample_layout = 'log'`;
    await tx`delete from dirty_buckets`;
    const dropped: string[] = [];
    for (const relation of ROW_RELATIONS) {
      const rows = await tx<{ name: string }[]>`
        select name from drop_partitions(${relation}, ${Date.UTC(9000, 0)}::timestamptz) as name`;
      dropped.push(...rows.map(({ name }) => name));
    }
    return dropped;
  });
}
