import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Queryable, type Sql, transact } from '@tidewatch/database/connection';
import type { Fence } from '../leases/lease.ts';

const KEPT_MS = 7 * DAY_MS;

/** The size of the database in an hour; `hour` is its start, ms. */
export interface StorageSize {
  hour: number;
  bytes: number;
}

/** Notes the size of the database for the hour of `now` (ms), and deletes sizes older than 7 days. */
export async function noteStorageSize(sql: Sql, now: number, fence: Fence): Promise<void> {
  const hour = now - (now % HOUR_MS);
  await transact(sql, async (tx) => {
    await fence(tx);
    await tx`
      with gone as (delete from storage_sizes where hour < ${hour - KEPT_MS}::timestamptz)
      insert into storage_sizes (hour, database_bytes) values (${hour}::timestamptz, pg_database_size(current_database()))
      on conflict (hour) do update set database_bytes = excluded.database_bytes`;
  });
}

/** The size of the database now, and in each hour in which it was noted, oldest first. */
export async function readStorageSizes(sql: Queryable): Promise<{ bytes: number; hours: StorageSize[] }> {
  const [[size], hours] = await Promise.all([
    sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`,
    sql<StorageSize[]>`
      select hour, database_bytes::float8 as bytes from storage_sizes order by hour`,
  ]);
  return { bytes: size?.bytes ?? 0, hours };
}

/** By how much the database grew in a day, bytes, over the hours given, oldest first; null if they span less than a day. */
export function growthPerDay(hours: readonly StorageSize[]): number | null {
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined || last.hour - first.hour < DAY_MS) return null;
  return ((last.bytes - first.bytes) * DAY_MS) / (last.hour - first.hour);
}
