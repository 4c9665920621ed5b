-- The layout 'log': what transactions wrote, chunks by column, closed days and their rollups. All `data` has a format of
-- libs/domain/src/chunk. TimescaleDB's Apache edition partitions these relations as plain PostgreSQL does.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- Drawn once by each transaction, under the seal lock. Of equal times the sample with the later number counts.
create sequence sample_log_seq;

-- What is not yet in chunks. Rows are deleted rather than truncated, so that older snapshots still see them.
create table sample_log (
  organization_id text not null,
  -- A hash of the service's id, 0 to 255. -1: small transactions, until they are sorted.
  bucket smallint not null,
  seq bigint not null,
  -- Times of the earliest and the latest sample in `data`.
  first timestamptz not null,
  last timestamptz not null,
  data bytea not null
) with (
  -- Rows live for minutes, and every seal deletes as many as were written since the one before.
  autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0,
  toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_scale_factor = 0
);
alter table sample_log alter data set storage external, alter data set statistics 0;
create index sample_log_key on sample_log (bucket, seq);

-- How far each bucket is sealed: rows of the log up to `sealed_to` are in chunks.
create table sample_buckets (
  bucket smallint primary key,
  sealed_to bigint not null,
  sealed_at timestamptz not null
) with (fillfactor = 50);

-- Chunks of a block never overlap, and none crosses midnight UTC. Partitions of a day.
create table sample_chunks (
  block_id integer not null,
  first timestamptz not null,
  last timestamptz not null,
  data bytea not null
) partition by range (first);
create unique index sample_chunks_key on sample_chunks (block_id, first);

-- All samples of a block and UTC day, once the day is closed: in place of the chunks of that day. Partitions of a day.
create table sample_days (
  block_id integer not null,
  day date not null,
  data bytea not null
) partition by range (day);
create unique index sample_days_key on sample_days (block_id, day);

-- Rollups of closed days: the minutes of a day, its hours, and the days of a month. Partitions of a day, a month and a year.
create table packed_minutes (block_id integer not null, day date not null, data bytea not null) partition by range (day);
create unique index packed_minutes_key on packed_minutes (block_id, day);
create table packed_hours (block_id integer not null, day date not null, data bytea not null) partition by range (day);
create unique index packed_hours_key on packed_hours (block_id, day);
create table packed_days (block_id integer not null, month date not null, data bytea not null) partition by range (month);
create unique index packed_days_key on packed_days (block_id, month);

alter table sample_chunks alter data set storage external;
alter table sample_days alter data set storage external;
alter table packed_minutes alter data set storage external;
alter table packed_hours alter data set storage external;
alter table packed_days alter data set storage external;

grant usage, select on sequence sample_log_seq to tidewatch_writer;
grant select, insert, delete on sample_log to tidewatch_writer;
grant select, insert, update, delete on sample_buckets, sample_chunks, sample_days to tidewatch_writer;
grant select, insert, update on packed_minutes, packed_hours, packed_days to tidewatch_writer;
grant select on sample_log, sample_buckets, sample_chunks, sample_days
  to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select on packed_minutes, packed_hours, packed_days to tidewatch_investigator, tidewatch_api;

-- As ensure_partition() and drop_partitions() for samples. A partition is named <table>_<yyyymmdd> after the UTC day of its lower
-- bound, and has the storage of its table.
create function ensure_packed_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language plpgsql security definer set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
declare
  child text := parent || '_' || to_char(lower_bound, 'YYYYMMDD');
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days') then
    raise exception 'not a table of packed samples: %', parent;
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
create function drop_packed_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
declare
  child record;
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days') then
    raise exception 'not a table of packed samples: %', parent;
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
revoke all on function ensure_packed_partition(text, timestamptz, timestamptz),
  drop_packed_partitions(text, timestamptz) from public;
grant execute on function ensure_packed_partition(text, timestamptz, timestamptz),
  drop_packed_partitions(text, timestamptz) to tidewatch_writer;
select isolate_organizations();
