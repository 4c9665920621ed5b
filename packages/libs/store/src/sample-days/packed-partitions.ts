import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { monthOf } from '@tidewatch/domain/rollup/month-rollups';

/** What one partition of each relation of packed samples covers. */
export const PACKED_SPANS = {
  sample_chunks: 'day',
  sample_days: 'day',
  packed_minutes: 'day',
  packed_hours: 'month',
  packed_days: 'year',
} as const satisfies Record<string, 'day' | 'month' | 'year'>;

export type PackedRelation = keyof typeof PACKED_SPANS;

/** The text of the UTC day of a time, as SQL has it: 2026-11-30. */
export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Bounds in ms of the partition that holds a time: whole UTC days, months or years. */
export function packedBounds(relation: PackedRelation, time: number): { from: number; to: number } {
  const span = PACKED_SPANS[relation];
  const day = Math.floor(time / DAY_MS) * DAY_MS;
  if (span === 'day') return { from: day, to: day + DAY_MS };
  const month = monthOf(time);
  if (span === 'month') return { from: month, to: monthOf(month + 31 * DAY_MS) };
  const year = new Date(time).getUTCFullYear();
  return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
}

/** Creates the missing partitions for these times (ms) by one statement; returns how many. */
export async function ensurePackedPartitions(
  tx: Queryable,
  wanted: Partial<Record<PackedRelation, Iterable<number>>>,
): Promise<number> {
  const parents: string[] = [];
  const froms: number[] = [];
  const ends: number[] = [];
  for (const [name, times] of Object.entries(wanted)) {
    const bounds = new Map<number, number>();
    for (const time of times) {
      const { from, to } = packedBounds(name as PackedRelation, time);
      bounds.set(from, to);
    }
    for (const [from, to] of [...bounds].sort((a, b) => a[0] - b[0])) {
      parents.push(name);
      froms.push(from);
      ends.push(to);
    }
  }
  if (parents.length === 0) return 0;
  const [row] = await tx<{ created: number }[]>`
    select count(*) filter (where ensure_packed_partition(parent, lower, upper))::integer as created
    from unnest(${parents}::text[], ${froms}::timestamptz[], ${ends}::timestamptz[]) as w (parent, lower, upper)`;
  return row?.created ?? 0;
}

/** The starts of the days of which a relation has partitions (ms), ascending; none where the database has no packed samples. */
export async function readPartitionDays(
  tx: Queryable,
  relation: 'sample_chunks' | 'sample_days',
): Promise<number[]> {
  const rows = await tx<{ day: number }[]>`
    select to_timestamp(right(c.relname, 8), 'YYYYMMDD') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${`tidewatch.${relation}`})
    order by 1`;
  return rows.map((row) => row.day);
}

/** Drops the partitions that end at or before `before` (ms); returns their names. */
export async function dropPackedPartitions(
  tx: Transaction,
  relation: PackedRelation,
  before: number,
): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select name from drop_packed_partitions(${relation}, ${before}::timestamptz) as name`;
  return rows.map((row) => row.name);
}
