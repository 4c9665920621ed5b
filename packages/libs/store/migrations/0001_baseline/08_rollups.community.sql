-- TimescaleDB Community: rollups are continuous aggregates, each over the next finer one, with columnstore. TimescaleDB lets only an
-- owner refresh, so they belong to a role that owns nothing else and of which the writer is a member.
drop table sample_columns, rollup_columns, snapshot_columns;

reset role;
do $$
begin
  begin
    create role tidewatch_rollups nologin;
  exception when duplicate_object or unique_violation then null;
  end;
  if not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'tidewatch_rollups', 'member') then
    execute format('grant tidewatch_rollups to %I', current_user);
  end if;
  -- TimescaleDB runs a policy as the relation's owner and asks that this one may log in. Without a password it cannot.
  if not (select bool_and(rolcanlogin) from pg_roles where rolname in ('tidewatch_owner', 'tidewatch_rollups')) then
    alter role tidewatch_owner login;
    alter role tidewatch_rollups login;
  end if;
  if not pg_has_role('tidewatch_owner', 'tidewatch_rollups', 'member') then
    grant tidewatch_rollups to tidewatch_owner;
  end if;
  if not pg_has_role('tidewatch_writer', 'tidewatch_rollups', 'member') then
    grant tidewatch_rollups to tidewatch_writer;
  end if;
end $$;

set local role tidewatch_owner;
set local search_path = tidewatch, public;
alter table samples set (timescaledb.compress, timescaledb.compress_segmentby = 'block_id', timescaledb.compress_orderby = '"time"');
alter table samples_backfill set (timescaledb.compress, timescaledb.compress_segmentby = 'block_id', timescaledb.compress_orderby = '"time"');
grant select, trigger on samples to tidewatch_rollups;
grant usage, create on schema tidewatch to tidewatch_rollups;

reset role;
set local role tidewatch_rollups;
do $$
declare
  -- What a value contributes to a sum is bounded as with the other storage backends, so that sums stay finite.
  of_samples constant text := (
    select string_agg(format(
      'sum(case when abs(v%1$s) <= 1e290::float8 then v%1$s else sign(v%1$s) * 1e290::float8 end) as sum%1$s, '
      'nullif(count(v%1$s), 0)::integer as cnt%1$s, min(v%1$s) as min%1$s, max(v%1$s) as max%1$s', n), ', ' order by n)
    from generate_series(0, 15) n);
  of_rollups constant text := (
    select string_agg(format(
      'sum(sum%1$s) as sum%1$s, sum(cnt%1$s)::integer as cnt%1$s, min(min%1$s) as min%1$s, max(max%1$s) as max%1$s', n),
      ', ' order by n)
    from generate_series(0, 15) n);
  tier record;
begin
  for tier in
    select * from (values
      ('rollup_1m', 'samples', '"time"', of_samples, '1 minute', interval '1 day'),
      ('rollup_1h', 'rollup_1m', 'bucket', of_rollups, '1 hour', interval '30 days'),
      ('rollup_1d', 'rollup_1h', 'bucket', of_rollups, '1 day', interval '365 days')
    ) as t (name, source, at, columns, width, chunk)
  loop
    execute format(
      'create materialized view %I with (timescaledb.continuous, timescaledb.materialized_only = true) as
        select time_bucket(interval %L, %s) as bucket, block_id, %s from %I group by 1, 2 with no data',
      tier.name, tier.width, tier.at, tier.columns, tier.source);
    perform set_chunk_time_interval(tier.name::regclass, tier.chunk);
    execute format(
      'alter materialized view %I set (timescaledb.compress, timescaledb.compress_segmentby = ''block_id'')', tier.name);
  end loop;
end $$;
grant select on rollup_1m, rollup_1h, rollup_1d to tidewatch_writer, tidewatch_investigator, tidewatch_api;

reset role;
set local role tidewatch_owner;
revoke create on schema tidewatch from tidewatch_rollups;

-- How far the rollups have come. Rows before `sealed_to` are late: they are marked. Each tier is rolled up to `rolled_…`
-- and computed from a source that is whole from `whole_…` on.
create table rollup_progress (
  sealed_to timestamptz not null default '-infinity',
  rolled_1m timestamptz not null default '-infinity',
  rolled_1h timestamptz not null default '-infinity',
  rolled_1d timestamptz not null default '-infinity',
  whole_1m timestamptz not null default '-infinity',
  whole_1h timestamptz not null default '-infinity',
  whole_1d timestamptz not null default '-infinity',
  only_row boolean primary key default true check (only_row)
);
insert into rollup_progress default values;

-- Buckets in which rows were stored after they were rolled up, of whichever block. Rows are only appended, and deleted by id, so
-- that writers never wait for each other.
create table late_buckets (
  id bigint generated always as identity primary key,
  tier text not null check (tier in ('1m', '1h', '1d')),
  bucket timestamptz not null
);
create index late_buckets_by_time on late_buckets (bucket);
grant select, update on rollup_progress to tidewatch_writer;
grant select, insert, delete on late_buckets to tidewatch_writer;
grant select on rollup_progress, late_buckets to tidewatch_investigator, tidewatch_api;

-- The functions that 08_rollups.plain-apache.sql describes, by what is noted above.
create function rollup_standing(blocks integer[])
returns table (block_id integer, open_1m timestamptz, open_1h timestamptz, open_1d timestamptz)
language sql stable as $$
  select b.id, p.rolled_1m, p.rolled_1h, p.rolled_1d from unnest(blocks) as b (id) cross join tidewatch.rollup_progress p
$$;

create function stale_buckets(blocks integer[], lower_bound timestamptz, upper_bound timestamptz)
returns table (block_id integer, tier text, bucket timestamptz)
language sql stable as $$
  select b.id, l.tier, l.bucket
  from unnest(blocks) as b (id)
  cross join (
    select distinct tier, bucket from tidewatch.late_buckets where bucket >= lower_bound and bucket < upper_bound
  ) l
$$;

-- Drops the chunks of `parent` that end at or before `before`; returns their names. Also records from when on what is left is whole:
-- a refresh over dropped rows would delete what the rollup held of them.
create function drop_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  relation regclass;
  whole_from timestamptz;
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a relation of the product that ages: %', parent;
  end if;
  relation := format('tidewatch.%I', parent)::regclass;
  select max(c.range_end) into whole_from
  from public.show_chunks(relation, older_than => before) as s (chunk)
  join timescaledb_information.chunks c on format('%I.%I', c.chunk_schema, c.chunk_name)::regclass = s.chunk;
  if whole_from is not null then
    update rollup_progress set
      whole_1m = case parent when 'samples' then greatest(whole_1m, whole_from) else whole_1m end,
      whole_1h = case parent when 'rollup_1m' then greatest(whole_1h, whole_from) else whole_1h end,
      whole_1d = case parent when 'rollup_1h' then greatest(whole_1d, whole_from) else whole_1d end;
  end if;
  return query select public.drop_chunks(relation, older_than => before);
end $$;

-- Keeps TimescaleDB's policies at these ages, by its own clock: columnstore for what gets late rows seldom or never, and
-- retention where nothing else is computed from a relation. What rollups are computed from is dropped by the product,
-- which knows what they still need.
create function keep_policies(raw interval, days interval, processes interval) returns void
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  policy record;
begin
  for policy in
    select * from (values
      ('samples', 'compression', least(raw, interval '2 days')),
      ('samples_backfill', 'compression', raw),
      ('rollup_1m', 'compression', raw + interval '1 day'),
      ('rollup_1h', 'compression', raw + interval '1 day'),
      ('rollup_1d', 'compression', raw + interval '1 day'),
      ('rollup_1d', 'retention', days),
      ('samples_backfill', 'retention', days),
      ('snapshots', 'retention', processes)
    ) as p (relation, kind, age)
    where not exists (
      select from timescaledb_information.jobs j
      where j.proc_name = 'policy_' || p.kind and j.hypertable_schema = 'tidewatch' and j.hypertable_name = p.relation
        and coalesce(j.config ->> 'compress_after', j.config ->> 'drop_after')::interval = p.age)
  loop
    if policy.kind = 'compression' then
      perform public.remove_compression_policy(policy.relation, if_exists => true);
      perform public.add_compression_policy(policy.relation, compress_after => policy.age);
    else
      perform public.remove_retention_policy(policy.relation, if_exists => true);
      perform public.add_retention_policy(policy.relation, drop_after => policy.age);
    end if;
  end loop;
end $$;
revoke all on function drop_partitions(text, timestamptz), keep_policies(interval, interval, interval) from public;
grant execute on function drop_partitions(text, timestamptz), keep_policies(interval, interval, interval) to tidewatch_writer;
