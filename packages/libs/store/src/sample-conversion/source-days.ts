import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';

/** What the layout `rows` has of a UTC day. */
export interface SourceDay {
  /** The start of the day, ms. */
  day: number;
  hasSamples: boolean;
  hasMinutes: boolean;
}

/** Finds the days that have samples or rollups as rows, newest first. */
export async function findSourceDays(sql: Sql): Promise<SourceDay[]> {
  const withSamples = await findDaysOfPartitions(sql, 'samples', 'time');
  const withMinutes = await findDaysOfPartitions(sql, 'rollup_1m', 'bucket');
  const coarse = await sql<{ day: number }[]>`
    select date_trunc('day', bucket, 'UTC') as day from rollup_1h group by 1
    union select date_trunc('day', bucket, 'UTC') from rollup_1d`;
  const days = new Set([...withSamples, ...withMinutes, ...coarse.map(({ day }) => day)]);
  return [...days]
    .sort((a, b) => b - a)
    .map((day) => ({ day, hasSamples: withSamples.has(day), hasMinutes: withMinutes.has(day) }));
}

/** Finds the days that have snapshots as rows (starts in ms), newest first. */
export async function findSnapshotDays(sql: Sql): Promise<number[]> {
  return [...(await findDaysOfPartitions(sql, 'snapshots', 'time'))].sort((a, b) => b - a);
}

/** A partition, or chunk of a hypertable, of these relations has one day: any row says which. */
async function findDaysOfPartitions(
  sql: Sql,
  relation: 'samples' | 'rollup_1m' | 'snapshots',
  column: 'time' | 'bucket',
): Promise<Set<number>> {
  const children = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where i.inhparent = ${`tidewatch.${relation}`}::regclass`;
  const days = new Set<number>();
  for (const { schema, name } of children) {
    const [row] = await sql<{ time: number }[]>`
      select ${sql(column)} as time from ${sql(schema)}.${sql(name)} limit 1`;
    if (row !== undefined) days.add(bucketOf(row.time, DAY_MS));
  }
  return days;
}
