import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { readRecordedBackend } from '../backends/choice.ts';
import { Chunks } from '../retention/chunks.ts';
import { PartitionSet } from '../retention/partition-set.ts';
import { drainTier } from '../rollups/drain.ts';
import { recoverLatest } from '../rollups/recover.ts';
import { readSampleState } from '../sample-log/sample-layout.ts';
import { ConversionError } from './conversion-error.ts';
import { beginConversion, switchToLog } from './conversion-state.ts';
import { type ConversionOptions, convertDays } from './convert-days.ts';
import { convertSnapshots } from './convert-snapshots.ts';
import { type RemovalOptions, removeRows } from './remove-rows.ts';
import { readSessions } from './sessions.ts';

const RECOVERED_BLOCKS = 500;
const DRAINED_MARKS = 5_000;

export interface Conversion {
  /** How many days have samples or rollups as rows; 0 if an earlier run had converted all. */
  days: number;
  /** The partitions and chunks of rows that were dropped. */
  dropped: string[];
}

/**
 * Converts a database from the layout `rows` to `log`, whether the product runs or not. Writers of rows write the log as well, from the
 * first step on; every day that has rows is written in the new form and recounted; then readers change to it, and the rows are dropped
 * once no transaction can read them. May be ended at any time, and goes on at the next call. `sql` needs two connections of a role that
 * may read all organizations and owns the schema, without a statement timeout. Throws ConversionError; rows and layout are as before then.
 */
export async function convertStorage(
  sql: Sql,
  options: ConversionOptions & RemovalOptions,
): Promise<Conversion> {
  const backend = await requireConvertible(sql);
  let days = 0;
  if ((await readSampleState(sql)).layout === 'rows') {
    await beginConversion(sql);
    await drainRollups(sql, backend, options.now);
    days = await convertDays(sql, options);
    await convertSnapshots(sql, options);
    await recoverLatestValues(sql, options.now);
    await switchToLog(sql);
    options.switched?.();
  }
  return { days, dropped: await removeRows(sql, options) };
}

async function requireConvertible(sql: Sql): Promise<'plain' | 'apache'> {
  const backend = await readRecordedBackend(sql);
  if (backend === null)
    throw new ConversionError('The database has no schema of this version. Run the migrations first.');
  if (backend === 'community')
    throw new ConversionError('TimescaleDB Community compresses rows itself: there is nothing to convert.');
  const [schema] = await sql<{ exists: boolean }[]>`
    select exists (select from pg_attribute where attrelid = to_regclass('tidewatch.storage_backend')
      and attname = 'is_converting') as exists`;
  if (!schema?.exists)
    throw new ConversionError('The schema is older than this command. Run the migrations first.');
  const { layout, isConverting } = await readSampleState(sql);
  if (layout === 'log' && !isConverting)
    throw new ConversionError('The database has the layout "log" already: there is nothing to convert.');
  const [row] = await sql<{ bound: boolean }[]>`select row_security_active('blocks') as bound`;
  if (row?.bound)
    throw new ConversionError(
      'The role of the connection may not read all organizations. Use that of the database superuser.',
    );
  const older = (await readSessions(sql)).filter(({ isOlder }) => isOlder);
  if (older.length > 0)
    throw new ConversionError(
      `Processes that were started before the schema was updated are connected (${older.map(({ name }) => name).join(', ')}). Restart them with this release first.`,
    );
  return backend;
}

/** Computes the rollups that are out of date, which days without samples are converted from. */
async function drainRollups(sql: Sql, backend: 'plain' | 'apache', now: number): Promise<void> {
  const partitions = backend === 'plain' ? new PartitionSet() : new Chunks();
  for (const tier of ROLLUP_TIERS)
    while ((await drainTier(sql, partitions, tier, now, DRAINED_MARKS, 0)).drained > 0);
}

/** Stores the latest values that a crash of a writer kept from being stored, but none that are about to be. */
async function recoverLatestValues(sql: Sql, now: number): Promise<void> {
  const [row] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from blocks`;
  for (let from = 1; from <= (row?.last ?? 0); from += RECOVERED_BLOCKS)
    await recoverLatest(sql, from, from + RECOVERED_BLOCKS - 1, now - MINUTE_MS);
}
