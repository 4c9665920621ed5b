-- Snapshots of containers and processes in the layout 'log': what transactions wrote, and chunks of one service. All `data` has the
-- format of libs/domain/src/snapshots, and may be compressed by zstd.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- What is not yet in chunks. Rows are deleted rather than truncated, so that older snapshots of the database still see them.
create table snapshot_log (
  organization_id text not null,
  -- A hash of the service's id, 0 to 255, as in sample_log.
  bucket smallint not null,
  -- Drawn from sample_log_seq. Of equal times the list with the later number counts.
  seq bigint not null,
  -- Times of the earliest and the latest snapshot in `data`.
  first timestamptz not null,
  last timestamptz not null,
  data bytea not null
) with (
  -- Rows live for minutes, and every seal deletes as many as were written since the one before.
  autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0,
  toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_scale_factor = 0
);
alter table snapshot_log alter data set storage external, alter data set statistics 0;
create index snapshot_log_key on snapshot_log (bucket, seq);

-- Chunks of a service may overlap: of equal times the list in the chunk with the later `seq` counts. None crosses an hour.
-- Partitions of a day.
create table snapshot_chunks (
  organization_id text not null,
  service_id text not null,
  first timestamptz not null,
  last timestamptz not null,
  -- The last number of the log that is in it.
  seq bigint not null,
  -- How many of its snapshots have containers, and how many have processes.
  containers integer not null,
  processes integer not null,
  data bytea not null
) partition by range (first);
alter table snapshot_chunks alter data set storage external;
create index snapshot_chunks_key on snapshot_chunks (service_id, first);
-- Otherwise the whole history of a host without containers would be searched for them.
create index snapshot_chunks_with_containers on snapshot_chunks (service_id, first) where containers > 0;

grant select, insert, delete on snapshot_log to tidewatch_writer;
grant select, insert, delete on snapshot_chunks to tidewatch_writer;
grant select on snapshot_log, snapshot_chunks to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;

-- The functions of 0011_sample_log, which now also serve snapshot_chunks.
create or replace function ensure_packed_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language plpgsql security definer set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
declare
  child text := parent || '_' || to_char(lower_bound, 'YYYYMMDD');
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days', 'snapshot_chunks') then
    raise exception 'not a table of packed samples or snapshots: %', parent;
  end if;
  if to_regclass('tidewatch.' || child) is not null then
    return false;
  end if;
  execute format('create table %I (like %I including storage)', child, parent);
  execute format('alter table %I alter data set statistics 0', child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, child, lower_bound::date, upper_bound::date);
  return true;
exception when duplicate_table or unique_violation then
  return false;
end $$;

-- Drops the partitions of `parent` that end at or before `before`; returns their names.
create or replace function drop_packed_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
declare
  child record;
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days', 'snapshot_chunks') then
    raise exception 'not a table of packed samples or snapshots: %', parent;
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

select isolate_organizations();
