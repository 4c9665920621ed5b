import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { ALL_BLOCKS, CLOSES_AFTER_MS, readClosedTo } from './closed-days.ts';
import { dateOf, readPartitionDays } from './packed-partitions.ts';

/** A day that ended two hours ago or more, of which not all blocks are closed. */
export interface EndedDay {
  /** The start of the day, ms. */
  day: number;
  /** Whether some blocks are closed. */
  isBegun: boolean;
  /** Whether no chunk was ever written to it. */
  isEmpty: boolean;
  /** Chunks written to it since the server began to count, up to some seconds ago: a number that stays says that none came. */
  written: number;
}

/** Reads the days that have ended and are not closed, the oldest first. */
export async function readEndedDays(sql: Queryable, now: number): Promise<EndedDay[]> {
  const ended = (await readPartitionDays(sql, 'sample_chunks')).filter(
    (day) => day + DAY_MS + CLOSES_AFTER_MS <= now,
  );
  if (ended.length === 0) return [];
  const closedTo = await readClosedTo(sql, ended);
  const open = ended.filter((day) => closedTo.get(day) !== ALL_BLOCKS);
  if (open.length === 0) return [];
  const rows = await sql<Omit<EndedDay, 'isBegun'>[]>`
    select (d.day::timestamp at time zone 'UTC') as day, coalesce(pg_relation_size(c.oid), 0) = 0 as "isEmpty",
      coalesce(pg_stat_get_tuples_inserted(c.oid), 0)::float8 as written
    from unnest(${open.map(dateOf)}::date[]) as d (day)
    left join pg_class c on c.oid = to_regclass('tidewatch.sample_chunks_' || to_char(d.day, 'YYYYMMDD'))
    order by 1`;
  return rows.map((row) => ({ ...row, isBegun: (closedTo.get(row.day) as number) > 0 }));
}
