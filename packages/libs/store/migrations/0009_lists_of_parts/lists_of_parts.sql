-- Parts of many hosts in the order of lists: an index has the host's name, whether the host is listed, and whether the part is gone.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table parts
  add column host text collate "C",
  -- Whether the service is in the lists, neither deleted nor archived, as `blocks.listed` says.
  add column listed boolean not null default true,
  -- Whether the part had no sample for a day before the newest one of its host's parts. Written by the writer.
  add column gone boolean not null default false;

update parts p set
  host = coalesce(s.host, ''),
  listed = coalesce(s.deleted_at is null and s.archived_at is null, false)
from parts o left join services s on s.organization_id = o.organization_id and s.id = o.service_id
where o.organization_id = p.organization_id and o.id = p.id;
with seen as (
  select b.service_id, m.part, max(m.at) as at
  from blocks b
  join block_latest l on l.block_id = b.id
  cross join lateral unnest(b.parts, l.times) as m (part, at)
  where b.subject_kind = 'part' and m.part is not null group by 1, 2
), newest as (select service_id, max(at) as at from seen group by 1)
update parts p set gone = true
from seen s join newest n on n.service_id = s.service_id
where p.id = s.part and s.at <= n.at - interval '1 day';
alter table parts alter column host set not null;

create index parts_listed_by_kind on parts (organization_id, kind, name, host) where listed and not gone;
create index parts_listed_by_host on parts (organization_id, host, kind, name) where listed and not gone;

create or replace function list_blocks() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  stays boolean := new.deleted_at is null and new.archived_at is null;
begin
  update blocks set listed = stays where organization_id = new.organization_id and service_id = new.id and listed <> stays;
  update parts set listed = stays where organization_id = new.organization_id and service_id = new.id and listed <> stays;
  return null;
end $$;

-- How many series each listed service has of a metric of its parts, which is named by kind and metric: `filesystem.used_percent`.
-- Kept so that metric_counts has the number of services of each such name.
create table part_metrics (
  organization_id text not null,
  metric text not null collate "C",
  service_id text not null,
  series integer not null,
  primary key (organization_id, metric, service_id)
) with (fillfactor = 70);

create function count_part_metric_services() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  insert into metric_count_changes
    select organization_id, metric, case tg_op when 'INSERT' then count(*) else -count(*) end from changed_rows group by 1, 2;
  return null;
end $$;
create trigger part_metrics_counted_insert after insert on part_metrics
  referencing new table as changed_rows for each statement execute function count_part_metric_services();
create trigger part_metrics_counted_delete after delete on part_metrics
  referencing old table as changed_rows for each statement execute function count_part_metric_services();

create function drop_part_metric() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  delete from part_metrics
    where organization_id = new.organization_id and metric = new.metric and service_id = new.service_id and series <= 0;
  return null;
end $$;
create trigger part_metrics_dropped after update on part_metrics for each row when (new.series <= 0)
  execute function drop_part_metric();

-- Adds the pending changes to metric_counts, unless another transaction is about to: none waits for another's commit. Counts are
-- looked up by the key, however few there are yet, or all would be read for each.
create function add_up_metric_counts() returns void
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(8230, 5) then
    return;
  end if;
  with taken as (delete from metric_count_changes returning *)
  merge into metric_counts as c
  using (
    select organization_id, metric, sum(services)::bigint as services from taken group by 1, 2 having sum(services) <> 0
  ) t
  on (c.organization_id, c.metric) = (t.organization_id, t.metric)
  when matched and c.services + t.services = 0 then delete
  when matched then update set services = c.services + t.services
  when not matched then insert values (t.organization_id, t.metric, t.services);
end $$;

create or replace function count_metrics() returns trigger
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
  if found then
    perform add_up_metric_counts();
  end if;
  return null;
end $$;

-- Adds up the series of new and changed blocks of parts.
create function count_part_metrics() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into part_metrics as k
      select r.organization_id, p.kind || '.' || m.name, r.service_id, count(*)::integer
      from new_rows r
      cross join lateral unnest(r.metrics, r.parts) as m (name, part)
      join parts p on p.organization_id = r.organization_id and p.id = m.part
      where r.listed and r.subject_kind = 'part' group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  elsif tg_op = 'DELETE' then
    insert into part_metrics as k
      select r.organization_id, p.kind || '.' || m.name, r.service_id, -count(*)::integer
      from old_rows r
      cross join lateral unnest(r.metrics, r.parts) as m (name, part)
      join parts p on p.organization_id = r.organization_id and p.id = m.part
      where r.listed and r.subject_kind = 'part' group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  else
    insert into part_metrics as k
      select c.organization_id, p.kind || '.' || m.name, c.service_id, sum(c.n)::integer
      from (select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r) c
      cross join lateral unnest(c.metrics, c.parts) as m (name, part)
      join parts p on p.organization_id = c.organization_id and p.id = m.part
      where c.listed and c.subject_kind = 'part' group by 1, 2, 3 having sum(c.n) <> 0 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  end if;
  if found then
    perform add_up_metric_counts();
  end if;
  return null;
end $$;
create trigger part_metrics_counted_insert after insert on blocks
  referencing new table as new_rows for each statement execute function count_part_metrics();
create trigger part_metrics_counted_update after update on blocks
  referencing old table as old_rows new table as new_rows for each statement execute function count_part_metrics();
create trigger part_metrics_counted_delete after delete on blocks
  referencing old table as old_rows for each statement execute function count_part_metrics();

insert into part_metrics
  select b.organization_id, p.kind || '.' || m.name, b.service_id, count(*)::integer
  from blocks b
  cross join lateral unnest(b.metrics, b.parts) as m (name, part)
  join parts p on p.organization_id = b.organization_id and p.id = m.part
  where b.listed and b.subject_kind = 'part' group by 1, 2, 3;
select add_up_metric_counts();

revoke all on function count_part_metric_services(), drop_part_metric(), add_up_metric_counts(), count_part_metrics() from public;
select isolate_organizations();
