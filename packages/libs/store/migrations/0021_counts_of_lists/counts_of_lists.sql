-- What lists of notifications and investigations are counted by, an index for each order and filter that read every row, and alerts as
-- of a time found by when they lived.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- Several rows of one key are to be summed.
create table notification_counts (
  organization_id text not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
create index notification_counts_by_organization on notification_counts (organization_id);
create table investigation_counts (
  organization_id text not null,
  status text not null,
  conclusion text,
  severity text,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
create index investigation_counts_by_organization on investigation_counts (organization_id);
grant select on notification_counts, investigation_counts to tidewatch_api;

-- As for services, writers append what they change; the transaction that gets the lock adds up the committed rows of its organizations.
create function count_notifications() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into notification_counts select organization_id, status, count(*) from new_rows group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into notification_counts select organization_id, status, -count(*) from old_rows group by 1, 2;
    return null;
  else
    insert into notification_counts
      select organization_id, status, sum(n)
      from (select 1 as n, organization_id, status from new_rows union all select -1, organization_id, status from old_rows) c
      group by 1, 2 having sum(n) <> 0;
  end if;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (select count(*) from notification_counts where organization_id = any(array(select organization_id from new_rows limit 1))) > 100
    and pg_try_advisory_xact_lock(8230, 6) then
    with taken as (
      delete from notification_counts where organization_id = any(array(select organization_id from new_rows)) returning *
    )
    insert into notification_counts select organization_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger notifications_counted_insert after insert on notifications
  referencing new table as new_rows for each statement execute function count_notifications();
create trigger notifications_counted_update after update on notifications
  referencing old table as old_rows new table as new_rows for each statement execute function count_notifications();
create trigger notifications_counted_delete after delete on notifications
  referencing old table as old_rows for each statement execute function count_notifications();

create function count_investigations() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into investigation_counts select organization_id, status, conclusion, severity, count(*) from new_rows group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into investigation_counts select organization_id, status, conclusion, severity, -count(*) from old_rows group by 1, 2, 3, 4;
    return null;
  else
    insert into investigation_counts
      select organization_id, status, conclusion, severity, sum(n)
      from (
        select 1 as n, organization_id, status, conclusion, severity from new_rows
        union all select -1, organization_id, status, conclusion, severity from old_rows
      ) c
      group by 1, 2, 3, 4 having sum(n) <> 0;
  end if;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (select count(*) from investigation_counts where organization_id = any(array(select organization_id from new_rows limit 1))) > 200
    and pg_try_advisory_xact_lock(8230, 7) then
    with taken as (
      delete from investigation_counts where organization_id = any(array(select organization_id from new_rows)) returning *
    )
    insert into investigation_counts
      select organization_id, status, conclusion, severity, sum(count) from taken group by 1, 2, 3, 4 having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger investigations_counted_insert after insert on investigations
  referencing new table as new_rows for each statement execute function count_investigations();
create trigger investigations_counted_update after update on investigations
  referencing old table as old_rows new table as new_rows for each statement execute function count_investigations();
create trigger investigations_counted_delete after delete on investigations
  referencing old table as old_rows for each statement execute function count_investigations();

insert into notification_counts select organization_id, status, count(*) from notifications group by 1, 2;
insert into investigation_counts
  select organization_id, status, conclusion, severity, count(*) from investigations group by 1, 2, 3, 4;

create index investigations_by_status on investigations (organization_id, status, created_at desc, id desc);
create index investigations_by_host on investigations (organization_id, host, created_at desc, id desc);
create index services_by_status_since on services (organization_id, status, status_since, id)
  where deleted_at is null and archived_at is null;

-- A version holds until a time of an alert that was created at another; `span` is the least power of two that spans both, in seconds.
-- Versions that a time lies in end, of each span, within that span after the time.
alter table alert_versions add column created_at timestamptz;
alter table alert_versions add column span smallint;
create function version_span(created_at timestamptz, until timestamptz) returns smallint
language sql immutable parallel safe as $$
  select ceil(ln(greatest(date_part('epoch', until - created_at), 1)) / ln(2::double precision))::smallint
$$;
update alert_versions v set created_at = a.created_at, span = version_span(a.created_at, v.until)
  from alerts a where a.organization_id = v.organization_id and a.id = v.alert_id;
drop index alert_versions_by_time;
create index alert_versions_by_span on alert_versions (organization_id, span, until);
-- Alerts that were made long after they fired, by backfilled samples or late ones.
create index alerts_late on alerts (organization_id, created_at) where created_at - fired_at > interval '5 minutes';

create or replace function keep_alert_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into alert_versions (organization_id, alert_id, until, created_at, span, status, state, severity, rule_version, condition,
    threshold, threshold_max, value, peak_value, flap_count, resolved_at, resolution, acknowledged_at, acknowledged_by, silenced_by,
    comments, investigation_id, updated_at)
  select o.organization_id, o.id, e.until, o.created_at, version_span(o.created_at, e.until),
    o.status, o.state, o.severity, o.rule_version, o.condition, o.threshold, o.threshold_max, o.value, o.peak_value,
    o.flap_count, o.resolved_at, o.resolution, o.acknowledged_at, o.acknowledged_by, o.silenced_by, o.comments,
    o.investigation_id, o.updated_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  cross join lateral (select case when n.updated_at > o.updated_at then n.updated_at else clock_timestamp() end as until) e
  -- Values between two transitions are written often, and are not worth a version.
  where (o.status, o.state, o.severity, o.rule_version, o.acknowledged_at, o.silenced_by, o.comments, o.investigation_id)
    is distinct from
    (n.status, n.state, n.severity, n.rule_version, n.acknowledged_at, n.silenced_by, n.comments, n.investigation_id);
  return null;
end $$;
revoke all on function count_notifications(), count_investigations(), version_span(timestamptz, timestamptz) from public;

select isolate_organizations();
