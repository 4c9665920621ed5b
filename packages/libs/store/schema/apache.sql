-- What the migrations make with the storage backend apache, as PostgreSQL 15 words it. Written by a test.

-- All of plain.sql holds but these:
-- create view organization_snapshots as
-- create table rollup_1d (
-- create table rollup_1h (
-- create table rollup_1m (
-- create table samples (
-- create table samples_backfill (
-- create table snapshots (
-- CREATE OR REPLACE FUNCTION tidewatch.drop_partitions(parent text, before timestamp with time zone)
-- CREATE OR REPLACE FUNCTION tidewatch.ensure_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
-- -- rows of storage_backend

create view organization_snapshots as
 SELECT snapshots."time",
    snapshots.organization_id,
    snapshots.service_id,
    snapshots.containers,
    snapshots.processes
   FROM snapshots
  WHERE snapshots.organization_id = current_setting('tidewatch.organization'::text, true);
alter view organization_snapshots owner to tidewatch_owner;
grant select on organization_snapshots to tidewatch_api;

create table rollup_1d (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
);
alter table rollup_1d owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1d_key ON tidewatch.rollup_1d USING btree (block_id, bucket);
grant select (every column) on rollup_1d to tidewatch_api;
grant select (every column) on rollup_1d to tidewatch_investigator;
grant insert, select, update (every column) on rollup_1d to tidewatch_writer;

create table rollup_1h (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
);
alter table rollup_1h owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1h_key ON tidewatch.rollup_1h USING btree (block_id, bucket);
grant select (every column) on rollup_1h to tidewatch_api;
grant select (every column) on rollup_1h to tidewatch_investigator;
grant insert, select, update (every column) on rollup_1h to tidewatch_writer;

create table rollup_1m (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
);
alter table rollup_1m owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1m_key ON tidewatch.rollup_1m USING btree (block_id, bucket);
grant select (every column) on rollup_1m to tidewatch_api;
grant select (every column) on rollup_1m to tidewatch_investigator;
grant insert, select, update (every column) on rollup_1m to tidewatch_writer;

create table samples (
  "time" timestamp with time zone not null,
  block_id integer not null,
  v0 double precision,
  v1 double precision,
  v2 double precision,
  v3 double precision,
  v4 double precision,
  v5 double precision,
  v6 double precision,
  v7 double precision,
  v8 double precision,
  v9 double precision,
  v10 double precision,
  v11 double precision,
  v12 double precision,
  v13 double precision,
  v14 double precision,
  v15 double precision
);
alter table samples owner to tidewatch_owner;
CREATE UNIQUE INDEX samples_key ON tidewatch.samples USING btree (block_id, "time");
grant select (every column) on samples to tidewatch_api;
grant select (every column) on samples to tidewatch_evaluator;
grant select (every column) on samples to tidewatch_investigator;
grant insert, select, update (every column) on samples to tidewatch_writer;

create table samples_backfill (
  "time" timestamp with time zone not null,
  block_id integer not null,
  v0 double precision,
  v1 double precision,
  v2 double precision,
  v3 double precision,
  v4 double precision,
  v5 double precision,
  v6 double precision,
  v7 double precision,
  v8 double precision,
  v9 double precision,
  v10 double precision,
  v11 double precision,
  v12 double precision,
  v13 double precision,
  v14 double precision,
  v15 double precision
);
alter table samples_backfill owner to tidewatch_owner;
CREATE UNIQUE INDEX samples_backfill_key ON tidewatch.samples_backfill USING btree (block_id, "time");
grant select (every column) on samples_backfill to tidewatch_api;
grant select (every column) on samples_backfill to tidewatch_evaluator;
grant select (every column) on samples_backfill to tidewatch_investigator;
grant insert, select, update (every column) on samples_backfill to tidewatch_writer;

create table snapshots (
  "time" timestamp with time zone not null,
  organization_id text not null,
  service_id text not null,
  containers jsonb,
  processes jsonb
);
alter table snapshots owner to tidewatch_owner;
CREATE UNIQUE INDEX snapshots_key ON tidewatch.snapshots USING btree (organization_id, service_id, "time");
CREATE INDEX snapshots_with_containers ON tidewatch.snapshots USING btree (organization_id, service_id, "time") WHERE (containers IS NOT NULL);
alter table snapshots enable row level security;
create policy organization on snapshots to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on snapshots to tidewatch_evaluator using (true);
create policy tidewatch_investigator on snapshots to tidewatch_investigator using (true);
create policy tidewatch_writer on snapshots to tidewatch_writer using (true);
grant select (every column) on snapshots to tidewatch_evaluator;
grant select (every column) on snapshots to tidewatch_investigator;
grant insert, select, update (every column) on snapshots to tidewatch_writer;

-- hypertable rollup_1d by bucket, chunks of 365 days, compression off;
-- hypertable rollup_1h by bucket, chunks of 30 days, compression off;
-- hypertable rollup_1m by bucket, chunks of 1 day, compression off;
-- hypertable samples by "time", chunks of 1 day, compression off;
-- hypertable samples_backfill by "time", chunks of 365 days, compression off;
-- hypertable snapshots by "time", chunks of 1 day, compression off;

CREATE OR REPLACE FUNCTION tidewatch.drop_partitions(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a relation of the product that ages: %', parent;
  end if;
  return query select public.drop_chunks(format('tidewatch.%I', parent)::regclass, older_than => before);
end $function$;
alter function drop_partitions(text,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.ensure_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$ select false $function$;
alter function ensure_partition(text,timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

-- rows of storage_backend
-- {"name":"apache","only_row":true,"sample_layout":"log","is_converting":false}
