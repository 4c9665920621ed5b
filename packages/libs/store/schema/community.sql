-- What the migrations make with the storage backend community, as PostgreSQL 15 words it. Written by a test.

-- All of plain.sql holds but these:
-- create schema tidewatch authorization tidewatch_owner;
-- create table closed_days (
-- create view organization_snapshots as
-- create table packed_days (
-- create table packed_hours (
-- create table packed_minutes (
-- create table rollup_1d (
-- create table rollup_1h (
-- create table rollup_1m (
-- create table sample_buckets (
-- create table sample_chunks (
-- create table sample_days (
-- create table sample_log (
-- create table samples (
-- create table samples_backfill (
-- create table snapshot_chunks (
-- create table snapshot_log (
-- create table snapshots (
-- CREATE OR REPLACE FUNCTION tidewatch.drop_packed_partitions(parent text, before timestamp with time zone)
-- CREATE OR REPLACE FUNCTION tidewatch.drop_partitions(parent text, before timestamp with time zone)
-- CREATE OR REPLACE FUNCTION tidewatch.ensure_packed_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
-- CREATE OR REPLACE FUNCTION tidewatch.ensure_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
-- CREATE OR REPLACE FUNCTION tidewatch.rollup_standing(blocks integer[])
-- CREATE OR REPLACE FUNCTION tidewatch.stale_buckets(blocks integer[], lower_bound timestamp with time zone, upper_bound timestamp with time zone)
-- -- rows of storage_backend

create schema tidewatch authorization tidewatch_owner;
grant usage on schema tidewatch to tidewatch_api;
grant usage on schema tidewatch to tidewatch_evaluator;
grant usage on schema tidewatch to tidewatch_investigator;
grant usage on schema tidewatch to tidewatch_notifier;
grant usage on schema tidewatch to tidewatch_reader;
grant usage on schema tidewatch to tidewatch_rollups;
grant usage on schema tidewatch to tidewatch_writer;
grant tidewatch_rollups to tidewatch_owner;
grant tidewatch_rollups to tidewatch_writer;

create table late_buckets (
  id bigint not null generated always as identity,
  tier text not null,
  bucket timestamp with time zone not null,
  constraint late_buckets_pkey PRIMARY KEY (id),
  constraint late_buckets_tier_check CHECK (tier = ANY (ARRAY['1m'::text, '1h'::text, '1d'::text]))
);
alter table late_buckets owner to tidewatch_owner;
CREATE INDEX late_buckets_by_time ON tidewatch.late_buckets USING btree (bucket);
grant select on late_buckets to tidewatch_api;
grant select on late_buckets to tidewatch_investigator;
grant delete, insert, select on late_buckets to tidewatch_writer;

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

create view rollup_1d (
  bucket timestamp with time zone,
  block_id integer,
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
alter view rollup_1d owner to tidewatch_rollups;
grant select on rollup_1d to tidewatch_api;
grant select on rollup_1d to tidewatch_investigator;
grant select on rollup_1d to tidewatch_writer;

create view rollup_1h (
  bucket timestamp with time zone,
  block_id integer,
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
alter view rollup_1h owner to tidewatch_rollups;
grant select on rollup_1h to tidewatch_api;
grant select on rollup_1h to tidewatch_investigator;
grant select on rollup_1h to tidewatch_writer;

create view rollup_1m (
  bucket timestamp with time zone,
  block_id integer,
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
alter view rollup_1m owner to tidewatch_rollups;
grant select on rollup_1m to tidewatch_api;
grant select on rollup_1m to tidewatch_investigator;
grant select on rollup_1m to tidewatch_writer;

create table rollup_progress (
  sealed_to timestamp with time zone not null default '-infinity'::timestamp with time zone,
  rolled_1m timestamp with time zone not null default '-infinity'::timestamp with time zone,
  rolled_1h timestamp with time zone not null default '-infinity'::timestamp with time zone,
  rolled_1d timestamp with time zone not null default '-infinity'::timestamp with time zone,
  whole_1m timestamp with time zone not null default '-infinity'::timestamp with time zone,
  whole_1h timestamp with time zone not null default '-infinity'::timestamp with time zone,
  whole_1d timestamp with time zone not null default '-infinity'::timestamp with time zone,
  only_row boolean not null default true,
  constraint rollup_progress_pkey PRIMARY KEY (only_row),
  constraint rollup_progress_only_row_check CHECK (only_row)
);
alter table rollup_progress owner to tidewatch_owner;
grant select on rollup_progress to tidewatch_api;
grant select on rollup_progress to tidewatch_investigator;
grant select, update on rollup_progress to tidewatch_writer;

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
grant trigger on samples to tidewatch_rollups;
grant select (every column) on samples to tidewatch_rollups;
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

-- hypertable samples by "time", chunks of 1 day, compression on;
-- hypertable samples_backfill by "time", chunks of 365 days, compression on;
-- hypertable snapshots by "time", chunks of 1 day, compression off;
-- continuous aggregate rollup_1d, materialized only, compression on;
-- continuous aggregate rollup_1h, materialized only, compression on;
-- continuous aggregate rollup_1m, materialized only, compression on;

CREATE OR REPLACE FUNCTION tidewatch.drop_partitions(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
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
end $function$;
alter function drop_partitions(text,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.ensure_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$ select false $function$;
alter function ensure_partition(text,timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.keep_policies(raw interval, days interval, processes interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
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
end $function$;
alter function keep_policies(interval,interval,interval) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.rollup_standing(blocks integer[])
 RETURNS TABLE(block_id integer, open_1m timestamp with time zone, open_1h timestamp with time zone, open_1d timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select b.id, p.rolled_1m, p.rolled_1h, p.rolled_1d from unnest(blocks) as b (id) cross join tidewatch.rollup_progress p
$function$;
alter function rollup_standing(integer[]) owner to tidewatch_owner;
-- called by public

CREATE OR REPLACE FUNCTION tidewatch.stale_buckets(blocks integer[], lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS TABLE(block_id integer, tier text, bucket timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select b.id, l.tier, l.bucket
  from unnest(blocks) as b (id)
  cross join (
    select distinct tier, bucket from tidewatch.late_buckets where bucket >= lower_bound and bucket < upper_bound
  ) l
$function$;
alter function stale_buckets(integer[],timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by public

-- rows of rollup_progress
-- {"sealed_to":"-infinity","rolled_1m":"-infinity","rolled_1h":"-infinity","rolled_1d":"-infinity","whole_1m":"-infinity","whole_1h":"-infinity","whole_1d":"-infinity","only_row":true}

-- rows of storage_backend
-- {"name":"community","only_row":true,"sample_layout":"rows","is_converting":false}
