-- TimescaleDB: samples and snapshots are hypertables, whose chunks are made by the rows that need them.
create table samples (like sample_columns);
select create_hypertable('samples', by_range('time', interval '1 day'), create_default_indexes => false);
create unique index samples_key on samples (block_id, "time");

-- Samples that were older than raw retention when they arrived.
create table samples_backfill (like sample_columns);
select create_hypertable('samples_backfill', by_range('time', interval '365 days'), create_default_indexes => false);
create unique index samples_backfill_key on samples_backfill (block_id, "time");

create table snapshots (like snapshot_columns);
select create_hypertable('snapshots', by_range('time', interval '1 day'), create_default_indexes => false);
create unique index snapshots_key on snapshots (organization_id, service_id, "time");
-- Otherwise the whole history of a host without containers would be searched for them.
create index snapshots_with_containers on snapshots (organization_id, service_id, "time") where containers is not null;

-- Rows are never deleted: what retention no longer keeps is dropped as whole chunks.
grant select, insert, update on samples, samples_backfill, snapshots to tidewatch_writer;
grant select on samples, samples_backfill, snapshots to tidewatch_evaluator, tidewatch_investigator;
grant select on samples, samples_backfill to tidewatch_api;

create function ensure_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language sql as $$ select false $$;
revoke all on function ensure_partition(text, timestamptz, timestamptz) from public;
grant execute on function ensure_partition(text, timestamptz, timestamptz) to tidewatch_writer;
