-- How far rollups are complete where the writer computes them.

-- From when on the rollups of each tier have nothing of a block yet. Null: at no time.
create function rollup_standing(blocks integer[])
returns table (block_id integer, open_1m timestamptz, open_1h timestamptz, open_1d timestamptz)
language sql stable as $$
  select b.id, o.at, o.at, o.at
  from unnest(blocks) as b (id)
  cross join lateral (select (
    select r.bucket from tidewatch.rollup_1m r where r.block_id = b.id order by r.bucket desc limit 1
  ) + interval '1 minute' as at) o
$$;

-- Buckets from `lower_bound` to before `upper_bound` whose rollup of a block is not to be used.
create function stale_buckets(blocks integer[], lower_bound timestamptz, upper_bound timestamptz)
returns table (block_id integer, tier text, bucket timestamptz)
language sql stable as $$
  select d.block_id, d.tier, d.bucket from tidewatch.dirty_buckets d
  where d.tier in ('1m', '1h', '1d') and d.block_id = any(blocks)
    and d.bucket >= lower_bound and d.bucket < upper_bound
$$;
