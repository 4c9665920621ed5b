-- TimescaleDB under the Apache license: rollups are hypertables that the writer fills.
create table rollup_1m (like rollup_columns);
select create_hypertable('rollup_1m', by_range('bucket', interval '1 day'), create_default_indexes => false);
create unique index rollup_1m_key on rollup_1m (block_id, bucket);

create table rollup_1h (like rollup_columns);
select create_hypertable('rollup_1h', by_range('bucket', interval '30 days'), create_default_indexes => false);
create unique index rollup_1h_key on rollup_1h (block_id, bucket);

create table rollup_1d (like rollup_columns);
select create_hypertable('rollup_1d', by_range('bucket', interval '365 days'), create_default_indexes => false);
create unique index rollup_1d_key on rollup_1d (block_id, bucket);

drop table sample_columns, rollup_columns, snapshot_columns;

grant select, insert, update on rollup_1m, rollup_1h, rollup_1d to tidewatch_writer;
grant select on rollup_1m, rollup_1h, rollup_1d to tidewatch_investigator, tidewatch_api;

-- Drops the chunks of `parent` that end at or before `before`; returns their names.
create function drop_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a relation of the product that ages: %', parent;
  end if;
  return query select public.drop_chunks(format('tidewatch.%I', parent)::regclass, older_than => before);
end $$;
revoke all on function drop_partitions(text, timestamptz) from public;
grant execute on function drop_partitions(text, timestamptz) to tidewatch_writer;
