-- Plain PostgreSQL: samples, rollups and snapshots are partitioned by time.
create table samples (like sample_columns) partition by range ("time");
create unique index samples_key on samples (block_id, "time");

-- Samples that were older than raw retention when they arrived.
create table samples_backfill (like sample_columns) partition by range ("time");
create unique index samples_backfill_key on samples_backfill (block_id, "time");

create table rollup_1m (like rollup_columns) partition by range (bucket);
create unique index rollup_1m_key on rollup_1m (block_id, bucket);
create table rollup_1h (like rollup_columns) partition by range (bucket);
create unique index rollup_1h_key on rollup_1h (block_id, bucket);
create table rollup_1d (like rollup_columns) partition by range (bucket);
create unique index rollup_1d_key on rollup_1d (block_id, bucket);

create table snapshots (like snapshot_columns) partition by range ("time");
create unique index snapshots_key on snapshots (organization_id, service_id, "time");
-- Otherwise the whole history of a host without containers would be searched for them.
create index snapshots_with_containers on snapshots (organization_id, service_id, "time") where containers is not null;

drop table sample_columns, rollup_columns, snapshot_columns;

-- Rows are never deleted: what retention no longer keeps is dropped as whole partitions.
grant select, insert, update on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d, snapshots to tidewatch_writer;
grant select on samples, samples_backfill, snapshots to tidewatch_evaluator, tidewatch_investigator;
grant select on rollup_1m, rollup_1h, rollup_1d to tidewatch_investigator;
grant select on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d to tidewatch_api;

-- Partitions and retention need ownership, which the product's roles lack: these functions are all they may do.
-- Each partition is named <table>_<yyyymmdd> after the UTC day of its lower bound.
create function ensure_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  child text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a partitioned table of the product: %', parent;
  end if;
  if to_regclass('tidewatch.' || child) is not null then
    return false;
  end if;
  -- Attaching a table that was created apart locks readers and writers of the parent less than "partition of" does.
  execute format('create table %I (like %I)', child, parent);
  if parent <> 'snapshots' then
    perform leave_values_unanalyzed(child::regclass);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, lower_bound, upper_bound);
  return true;
exception when duplicate_table or unique_violation then
  return false;
end $$;

-- Drops the partitions of `parent` that end at or before `before`; returns their names.
create function drop_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  child record;
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a partitioned table of the product: %', parent;
  end if;
  for child in
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ('tidewatch.' || parent)::regclass
      and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz <= before
    order by 1
  loop
    execute format('drop table %I', child.name);
    return next child.name;
  end loop;
end $$;
revoke all on function ensure_partition(text, timestamptz, timestamptz), drop_partitions(text, timestamptz) from public;
grant execute on function ensure_partition(text, timestamptz, timestamptz), drop_partitions(text, timestamptz) to tidewatch_writer;
