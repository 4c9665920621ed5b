import type { Sql } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';

/**
 * Marks the newest minutes of blocks `from` to `to` (ids, inclusive), and their hours, that have only raw rows because a
 * crash lost the accumulator; returns the number of buckets. Rows far after `now` (ms) have marks already.
 */
export async function markLostMinutes(sql: Sql, from: number, to: number, now: number): Promise<number> {
  const marked = await sql`
    with standing as (
      select b.id, s.t, r.bucket
      from blocks b
      cross join lateral (
        select max("time") as t from samples where block_id = b.id and "time" <= ${now + MAX_SKEW_MS}::timestamptz) s
      cross join lateral (select max(bucket) as bucket from rollup_1m where block_id = b.id) r
      where b.id between ${from} and ${to} and s.t is not null
        and s.t >= coalesce(r.bucket + interval '1 minute', '-infinity')
    )
    insert into dirty_buckets (tier, block_id, bucket)
    select m.tier, standing.id, m.bucket from standing
    cross join lateral (values ('1m', date_trunc('minute', standing.t, 'UTC')), ('1h', date_trunc('hour', standing.t, 'UTC')),
      ('1h', date_trunc('hour', standing.bucket, 'UTC'))) as m (tier, bucket)
    where m.bucket is not null
    group by 1, 2, 3 order by 1 desc, 2, 3
    on conflict (tier, block_id, bucket) do update set marked_at = excluded.marked_at`;
  return marked.count;
}

/** SQL whether rows `s` of a minute have more values of any slot than its rollup `r`. */
const IS_SHORT = Array.from(
  { length: 16 },
  (_, slot) => `count(s.v${slot}) > coalesce(r.cnt${slot}, 0)`,
).join(' or ');

/**
 * Marks the newest minutes of blocks `from` to `to` (ids, inclusive), with their hours and days, that have more values than
 * their rollup: a former owner may have added rows after a starting writer rolled open minutes up. Returns the number of
 * buckets. Minutes far after `now` (ms) have marks already.
 */
export async function markShortMinutes(sql: Sql, from: number, to: number, now: number): Promise<number> {
  // Marks finer tiers first, as all code does, so that writers and the drain cannot deadlock.
  const marked = await sql`
    with short as (
      select b.id, r.bucket
      from blocks b
      cross join lateral (
        select * from rollup_1m
        where block_id = b.id and bucket <= ${now + MAX_SKEW_MS}::timestamptz order by bucket desc limit 1) r
      cross join lateral (
        select ${sql.unsafe(IS_SHORT)} as is_short from samples s
        where s.block_id = b.id and s."time" >= r.bucket and s."time" < r.bucket + interval '1 minute') s
      where b.id between ${from} and ${to} and s.is_short
    )
    insert into dirty_buckets (tier, block_id, bucket)
    select m.tier, short.id, m.bucket from short
    cross join lateral (values ('1m', short.bucket), ('1h', date_trunc('hour', short.bucket, 'UTC')),
      ('1d', date_trunc('day', short.bucket, 'UTC'))) as m (tier, bucket)
    order by 1 desc, 2, 3
    on conflict (tier, block_id, bucket) do update set marked_at = excluded.marked_at`;
  return marked.count;
}

/** Updates the latest values of these blocks from their newest rows, if a crash prevented their flush. */
export async function recoverLatest(sql: Sql, from: number, to: number, now: number): Promise<void> {
  const slots = Array.from({ length: 16 }, (_, slot) => slot + 1);
  const times = slots.map(
    (n) =>
      `case when s.v${n - 1} is not null and s."time" >= coalesce(l.times[${n}], '-infinity') then s."time" else l.times[${n}] end`,
  );
  const values = slots.map(
    (n) =>
      `case when s.v${n - 1} is not null and s."time" >= coalesce(l.times[${n}], '-infinity') then s.v${n - 1} else l.vals[${n}] end`,
  );
  await sql.unsafe(
    `insert into block_latest as stored (block_id, applied_at, times, vals)
    select b.id, to_timestamp($4::float8), array[${times.join(', ')}]::timestamptz[], array[${values.join(', ')}]::float8[]
    from blocks b
    left join block_latest l on l.block_id = b.id
    cross join lateral (select * from samples where block_id = b.id and "time" <= to_timestamp($3::float8)
      order by "time" desc limit 1) s
    where b.id between $1::integer and $2::integer
      and s."time" > coalesce((select max(t) from unnest(l.times) t), '-infinity')
    on conflict (block_id) do update set applied_at = excluded.applied_at, times = excluded.times, vals = excluded.vals
    where stored.applied_at <= excluded.applied_at`,
    [from, to, (now + MAX_SKEW_MS) / 1000, now / 1000],
  );
}
