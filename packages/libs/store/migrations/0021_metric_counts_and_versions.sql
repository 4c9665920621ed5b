-- How many hosts report each metric, and what alerts and services were a moment ago.
set local role tidewatch_owner;
set local search_path = tidewatch;

lock table alerts, services, blocks in share row exclusive mode;

-- Whether the block's service is in the lists: neither deleted nor archived. Kept here, so that what is counted follows
-- from blocks alone.
alter table blocks add column listed boolean not null default true;
update blocks b set listed = false from services s
  where s.org_id = b.org_id and s.id = b.service_id and (s.deleted_at is not null or s.archived_at is not null);

-- How many listed services have each metric of a host. A count of zero has no row.
create table metric_counts (
  org_id text not null,
  metric text not null collate "C",
  services bigint not null,
  primary key (org_id, metric)
) with (fillfactor = 70);

-- What is yet to be added to metric_counts. Only ever appended to by writers, so that none waits for another's commit.
create table metric_count_changes (
  org_id text not null,
  metric text not null collate "C",
  services bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

create function count_metrics() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select 1 as n, r.* from new_rows r'
    when 'DELETE' then 'select -1 as n, r.* from old_rows r'
    else 'select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r' end;
  appended bigint;
begin
  execute format($query$
    insert into metric_count_changes
      select c.org_id, m.name, sum(c.n)
      from (%s) c cross join lateral unnest(c.metrics) as m (name)
      where c.listed and c.subject_kind = 'host' and m.name <> ''
      group by 1, 2 having sum(c.n) <> 0 $query$, changed);
  get diagnostics appended = row_count;
  if appended > 0 and current_setting('transaction_isolation') = 'read committed'
    and pg_try_advisory_xact_lock(8230, 5) then
    with taken as (delete from metric_count_changes returning *)
    merge into metric_counts as c
    using (
      select org_id, metric, sum(services)::bigint as services from taken group by 1, 2 having sum(services) <> 0
    ) t
    on (c.org_id, c.metric) = (t.org_id, t.metric)
    when matched and c.services + t.services = 0 then delete
    when matched then update set services = c.services + t.services
    when not matched then insert values (t.org_id, t.metric, t.services);
  end if;
  return null;
end $$;
create trigger metrics_counted_insert after insert on blocks
  referencing new table as new_rows for each statement execute function count_metrics();
create trigger metrics_counted_update after update on blocks
  referencing old table as old_rows new table as new_rows for each statement execute function count_metrics();
create trigger metrics_counted_delete after delete on blocks
  referencing old table as old_rows for each statement execute function count_metrics();

create function list_blocks() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  stays boolean := new.deleted_at is null and new.archived_at is null;
begin
  update blocks set listed = stays where org_id = new.org_id and service_id = new.id and listed <> stays;
  return null;
end $$;
-- Not for updates of health, which set neither column.
create trigger blocks_listed after update of archived_at, deleted_at on services for each row
  when ((old.archived_at is null and old.deleted_at is null)
    is distinct from (new.archived_at is null and new.deleted_at is null))
  execute function list_blocks();

insert into metric_counts
  select b.org_id, m.name, count(*) from blocks b cross join lateral unnest(b.metrics) as m (name)
  where b.listed and b.subject_kind = 'host' and m.name <> '' group by 1, 2;

-- What an alert was until a moment, of all that changes while it lives. The first version that lasted beyond a time is
-- what it was then; where there is none, it has not changed since.
create table alert_versions (
  org_id text not null,
  alert_id text not null,
  number bigint generated always as identity,
  until timestamptz not null,
  status text not null,
  state text not null,
  severity text not null,
  rule_version integer not null,
  condition text not null,
  threshold double precision,
  threshold_max double precision,
  value double precision,
  peak_value double precision,
  flap_count integer not null,
  resolved_at timestamptz,
  resolution text,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  silenced_by text,
  comments jsonb not null,
  investigation_id text,
  updated_at timestamptz not null,
  primary key (org_id, alert_id, number)
);
create index alert_versions_by_time on alert_versions (org_id, until);

create function keep_alert_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  insert into alert_versions (org_id, alert_id, until, status, state, severity, rule_version, condition, threshold,
    threshold_max, value, peak_value, flap_count, resolved_at, resolution, acknowledged_at, acknowledged_by, silenced_by,
    comments, investigation_id, updated_at)
  select o.org_id, o.id, case when n.updated_at > o.updated_at then n.updated_at else clock_timestamp() end,
    o.status, o.state, o.severity, o.rule_version, o.condition, o.threshold, o.threshold_max, o.value, o.peak_value,
    o.flap_count, o.resolved_at, o.resolution, o.acknowledged_at, o.acknowledged_by, o.silenced_by, o.comments,
    o.investigation_id, o.updated_at
  from old_rows o join new_rows n on n.org_id = o.org_id and n.id = o.id
  -- Values between two transitions are written often, and are not worth a version.
  where (o.status, o.state, o.severity, o.rule_version, o.acknowledged_at, o.silenced_by, o.comments, o.investigation_id)
    is distinct from
    (n.status, n.state, n.severity, n.rule_version, n.acknowledged_at, n.silenced_by, n.comments, n.investigation_id);
  return null;
end $$;
create trigger alert_versions_kept after update on alerts
  referencing old table as old_rows new table as new_rows for each statement execute function keep_alert_versions();

-- Alerts by the time they were made: those that came after a moment, and a list in that order.
create index alerts_by_creation on alerts (org_id, created_at, id);

-- The same of services.
create table service_versions (
  org_id text not null,
  service_id text not null,
  number bigint generated always as identity,
  until timestamptz not null,
  tags jsonb not null,
  status text not null,
  status_reasons jsonb not null,
  status_since timestamptz not null,
  active_critical integer not null,
  active_warning integer not null,
  active_info integer not null,
  archived_at timestamptz,
  primary key (org_id, service_id, number)
);
create index service_versions_by_time on service_versions (org_id, until);

create function keep_service_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  insert into service_versions (org_id, service_id, until, tags, status, status_reasons, status_since, active_critical,
    active_warning, active_info, archived_at)
  select o.org_id, o.id, clock_timestamp(), o.tags, o.status, o.status_reasons, o.status_since, o.active_critical,
    o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.org_id = o.org_id and n.id = o.id
  where (o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info,
      o.archived_at, o.deleted_at)
    is distinct from (n.tags, n.status, n.status_reasons, n.status_since, n.active_critical, n.active_warning,
      n.active_info, n.archived_at, n.deleted_at);
  return null;
end $$;
create trigger service_versions_kept after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function keep_service_versions();

revoke all on function count_metrics(), list_blocks(), keep_alert_versions(), keep_service_versions() from public;
grant select on metric_counts, metric_count_changes, alert_versions, service_versions to tidewatch_api;
grant select, delete on alert_versions, service_versions to tidewatch_writer;
