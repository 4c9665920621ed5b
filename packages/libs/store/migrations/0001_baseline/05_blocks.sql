-- Blocks: which metric of which subject is kept in which slot; latest values, and what is counted of metrics and series.

-- A block is a row of at most sixteen metrics of one subject of one service. An element's place in `metrics` is its slot, for
-- life; '' is a slot that no metric has (the driver cannot distinguish a null in an array from the text NULL).
create table blocks (
  organization_id text not null,
  id integer generated always as identity,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  ordinal smallint not null,
  created_at timestamptz not null default now(),
  metrics text[] collate "C" not null default '{}' check (cardinality(metrics) <= 16),
  -- Whether the service is in the lists, neither deleted nor archived: kept here, so that counts of metrics follow from blocks alone.
  listed boolean not null default true,
  primary key (organization_id, id),
  unique (organization_id, service_id, subject_kind, subject_name, ordinal)
);
create unique index blocks_by_id on blocks (id);
grant select on blocks to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on blocks to tidewatch_writer;

create function list_blocks() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  stays boolean := new.deleted_at is null and new.archived_at is null;
begin
  update blocks set listed = stays where organization_id = new.organization_id and service_id = new.id and listed <> stays;
  return null;
end $$;
-- Not for updates of health, which set neither column.
create trigger blocks_listed after update of archived_at, deleted_at on services for each row
  when ((old.archived_at is null and old.deleted_at is null)
    is distinct from (new.archived_at is null and new.deleted_at is null))
  execute function list_blocks();

-- Latest value of each slot by sample time, in arrays of sixteen; flushed at most twice a second.
create table block_latest (
  block_id integer primary key,
  applied_at timestamptz not null,
  times timestamptz[] not null,
  vals double precision[] not null
) with (fillfactor = 60);
grant select on block_latest to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on block_latest to tidewatch_writer;

-- How many listed services have each metric of a host. A count of zero has no row.
create table metric_counts (
  organization_id text not null,
  metric text not null collate "C",
  services bigint not null,
  primary key (organization_id, metric)
) with (fillfactor = 70);
-- What is yet to be added to metric_counts. Writers only append to it, so that none waits for another's commit.
create table metric_count_changes (
  organization_id text not null,
  metric text not null collate "C",
  services bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
grant select on metric_counts, metric_count_changes to tidewatch_api;

-- Counts are looked up by the key, however few there are yet, or all would be read for each.
create function count_metrics() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into metric_count_changes
      select r.organization_id, m.name, count(*)
      from new_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into metric_count_changes
      select r.organization_id, m.name, -count(*)
      from old_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  else
    insert into metric_count_changes
      select c.organization_id, m.name, sum(c.n)
      from (select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r) c
      cross join lateral unnest(c.metrics) as m (name)
      where c.listed and c.subject_kind = 'host' and m.name <> ''
      group by 1, 2 having sum(c.n) <> 0;
  end if;
  if found and current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 5) then
    with taken as (delete from metric_count_changes returning *)
    merge into metric_counts as c
    using (
      select organization_id, metric, sum(services)::bigint as services from taken group by 1, 2 having sum(services) <> 0
    ) t
    on (c.organization_id, c.metric) = (t.organization_id, t.metric)
    when matched and c.services + t.services = 0 then delete
    when matched then update set services = c.services + t.services
    when not matched then insert values (t.organization_id, t.metric, t.services);
  end if;
  return null;
end $$;
create trigger metrics_counted_insert after insert on blocks
  referencing new table as new_rows for each statement execute function count_metrics();
create trigger metrics_counted_update after update on blocks
  referencing old table as old_rows new table as new_rows for each statement execute function count_metrics();
create trigger metrics_counted_delete after delete on blocks
  referencing old table as old_rows for each statement execute function count_metrics();

-- What a gateway asks about the series of the bound organization, and of no other: a function of the owner passes by policies.
-- A series is active while its block had a row since a time, and its service is not deleted.
create function active_series(organization text, since timestamptz) returns bigint
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select coalesce(sum(cardinality(b.metrics)), 0)::bigint
  from blocks b
  join block_latest l on l.block_id = b.id
  join services s on s.organization_id = b.organization_id and s.id = b.service_id
  where b.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.deleted_at is null and l.applied_at >= since
$$;

-- `container` is null for the host itself.
create function known_series(organization text, hosts text[], since timestamptz)
returns table (host text, container text, metrics text[])
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, case when b.subject_kind = 'container' then b.subject_name end, b.metrics
  from services s
  join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
  join block_latest l on l.block_id = b.id
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since
$$;

revoke all on function list_blocks(), count_metrics(), active_series(text, timestamptz),
  known_series(text, text[], timestamptz) from public;
grant execute on function active_series(text, timestamptz), known_series(text, text[], timestamptz) to tidewatch_api;
