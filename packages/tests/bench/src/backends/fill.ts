import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { StorageBackend } from '@tidewatch/store/backends/storage-backend';

export const HOSTS = 50;
export const METRICS = 10;
const TICKS = 2_880;
const TICK_SECONDS = 10;

/** The number of samples that `fillStore` writes. */
export const SAMPLES = HOSTS * METRICS * TICKS;

/**
 * Writes eight hours of the day before yesterday in the order of time, and rolls them up: four random walks with two
 * decimals, two of whole numbers up to 100, two that change rarely, two counters of bytes. `now` in ms.
 */
export async function fillStore(sql: Sql, backend: StorageBackend, now: number): Promise<void> {
  const begin = bucketOf(now, DAY_MS) - 40 * HOUR_MS;
  for (const table of ['samples', 'rollup_1m', 'rollup_1h', 'rollup_1d'] as const)
    await backend.partitions.ensure(sql, table, [begin]);
  await sql`select setseed(0.5)`;
  await sql`
    insert into samples ("time", block_id, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9)
    select ${begin}::timestamptz + n * ${`${TICK_SECONDS} seconds`}::interval, block,
      round((50 + sum(random() - 0.5) over w)::numeric, 2), round((20 + sum(random() - 0.5) over w)::numeric, 2),
      round((70 + sum(random() - 0.5) over w)::numeric, 2), round((5 + sum(random() - 0.5) over w)::numeric, 2),
      floor(random() * 100), floor(random() * 100), n / 500, 1,
      1e9 + sum(floor(random() * 1e5)) over w, 4e9 + sum(floor(random() * 1e6)) over w
    from generate_series(0, ${TICKS - 1}) n cross join generate_series(1, ${HOSTS}) block
    window w as (partition by block order by n)
    order by n, block`;
  if (backend.late === null) {
    await sql`
      insert into dirty_buckets (tier, block_id, bucket)
      select distinct '1m', block_id, date_trunc('minute', "time", 'UTC') from samples`;
  }
  while ((await backend.drain(now, 5_000, 0)) > 0);
}
