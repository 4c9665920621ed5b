-- The relations that are partitioned by time become hypertables: TimescaleDB makes their chunks as rows come.
-- All are empty, since an edition is chosen before the first row.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

do $$
declare
  relation record;
begin
  for relation in
    select * from (values
      ('samples', 'time', interval '1 day', 'block_id, "time"'),
      ('samples_backfill', 'time', interval '365 days', 'block_id, "time"'),
      ('rollup_1m', 'bucket', interval '1 day', 'block_id, bucket'),
      ('rollup_1h', 'bucket', interval '30 days', 'block_id, bucket'),
      ('rollup_1d', 'bucket', interval '365 days', 'block_id, bucket'),
      ('snapshots', 'time', interval '1 day', 'org_id, service_id, "time"')
    ) as r (name, at, width, key)
  loop
    execute format('create table hypertable (like %I)', relation.name);
    execute format('drop table %I', relation.name);
    execute format('alter table hypertable rename to %I', relation.name);
    perform create_hypertable(relation.name::regclass, by_range(relation.at, relation.width),
      create_default_indexes => false);
    execute format('create unique index %I on %I (%s)', relation.name || '_key', relation.name, relation.key);
  end loop;
end $$;
create index snapshots_with_containers on snapshots (org_id, service_id, "time") where containers is not null;

grant select on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d, snapshots to tidewatch_api;
grant select, insert, update, delete on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d, snapshots
  to tidewatch_writer;
grant select on samples, samples_backfill, snapshots to tidewatch_evaluator;

-- A chunk is made by the row that needs it.
create or replace function ensure_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language sql as $$ select false $$;

-- Drops the chunks of `parent` that end at or before `before`; answers their names.
create or replace function drop_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a relation of the product that ages: %', parent;
  end if;
  return query select public.drop_chunks(format('tidewatch.%I', parent)::regclass, older_than => before);
end $$;
