-- What the relations with samples and rollups have in common. How these are partitioned depends on the storage backend, so the
-- columns are written once in relations that the files of a backend copy and then drop.
create table sample_columns (
  "time" timestamptz not null,
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
create table rollup_columns (
  bucket timestamptz not null,
  block_id integer not null,
  sum0 double precision, cnt0 integer, min0 double precision, max0 double precision,
  sum1 double precision, cnt1 integer, min1 double precision, max1 double precision,
  sum2 double precision, cnt2 integer, min2 double precision, max2 double precision,
  sum3 double precision, cnt3 integer, min3 double precision, max3 double precision,
  sum4 double precision, cnt4 integer, min4 double precision, max4 double precision,
  sum5 double precision, cnt5 integer, min5 double precision, max5 double precision,
  sum6 double precision, cnt6 integer, min6 double precision, max6 double precision,
  sum7 double precision, cnt7 integer, min7 double precision, max7 double precision,
  sum8 double precision, cnt8 integer, min8 double precision, max8 double precision,
  sum9 double precision, cnt9 integer, min9 double precision, max9 double precision,
  sum10 double precision, cnt10 integer, min10 double precision, max10 double precision,
  sum11 double precision, cnt11 integer, min11 double precision, max11 double precision,
  sum12 double precision, cnt12 integer, min12 double precision, max12 double precision,
  sum13 double precision, cnt13 integer, min13 double precision, max13 double precision,
  sum14 double precision, cnt14 integer, min14 double precision, max14 double precision,
  sum15 double precision, cnt15 integer, min15 double precision, max15 double precision
);
-- One row for each payload that carries containers or processes, as they were sent.
create table snapshot_columns (
  "time" timestamptz not null,
  organization_id text not null,
  service_id text not null,
  containers jsonb,
  processes jsonb
);

-- Buckets whose rollup is out of date: read from the next finer tier until the drain has recomputed them.
create table dirty_buckets (
  tier text not null check (tier in ('1m', '1h', '1d')),
  block_id integer not null,
  bucket timestamptz not null,
  marked_at timestamptz not null default now(),
  primary key (tier, block_id, bucket)
);
grant select on dirty_buckets to tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on dirty_buckets to tidewatch_writer;

-- No query asks for rows by a value, but every analysis sorts a sample of each column: 64 of them in a rollup.
create function leave_values_unanalyzed(partition regclass) returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
begin
  execute (
    select format('alter table %s %s', partition, string_agg(format('alter %I set statistics 0', attname), ', '))
    from pg_attribute where attrelid = partition and attname ~ '^(v|sum|cnt|min|max)[0-9]+$' and not attisdropped
  );
end $$;
revoke all on function leave_values_unanalyzed(regclass) from public;
