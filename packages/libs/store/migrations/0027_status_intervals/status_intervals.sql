-- Since when each service has had its status, by the clock of the database, so that services with a status as of a time are found by
-- the intervals that this time lies in.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table services add column status_at timestamptz not null default '-infinity';

-- A list of a status loses services that are archived or deleted. Of one service these times only grow, even if the clock is set back.
create function set_status_at() returns trigger
language plpgsql set search_path = tidewatch, pg_temp as $$
begin
  new.status_at := greatest(
    case when old.deleted_at is null then coalesce(new.deleted_at, clock_timestamp()) else clock_timestamp() end,
    old.status_at + interval '1 microsecond');
  return new;
end $$;
create trigger services_status_timed before update of status, archived_at, deleted_at on services for each row
  when ((old.status, old.archived_at is null, old.deleted_at is null)
    is distinct from (new.status, new.archived_at is null, new.deleted_at is null))
  execute function set_status_at();

-- The version that ended a status of a listed service has since when it had this status, and the span from then until the end: a version
-- that a time lies in ends, of each span, within that span after the time.
alter table service_versions add column status_from timestamptz;
alter table service_versions add column span smallint;

create or replace function keep_service_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into service_versions (organization_id, service_id, until, is_listing, status_from, span, tags, status, status_reasons,
    status_since, active_critical, active_warning, active_info, archived_at)
  select o.organization_id, o.id, case when e.is_end then n.status_at else clock_timestamp() end,
    (o.tags, o.archived_at, o.deleted_at) is distinct from (n.tags, n.archived_at, n.deleted_at)
      or o.status = n.status and o.status_since <> n.status_since,
    case when e.was_listed then greatest(o.status_at, o.first_seen) end,
    case when e.was_listed then version_span(greatest(o.status_at, o.first_seen), n.status_at) end,
    o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  cross join lateral (
    select n.status_at > o.status_at as is_end,
      n.status_at > o.status_at and o.archived_at is null and o.deleted_at is null as was_listed
  ) e
  where (o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info,
      o.archived_at, o.deleted_at)
    is distinct from (n.tags, n.status, n.status_reasons, n.status_since, n.active_critical, n.active_warning,
      n.active_info, n.archived_at, n.deleted_at);
  return null;
end $$;

with states as (
  select v.organization_id, v.service_id, v.number, v.until, s.first_seen,
    case when v.archived_at is null then v.status end as status,
    lead(case when v.archived_at is null then v.status end, 1,
      case when s.deleted_at is null and s.archived_at is null then s.status end)
      over (partition by v.organization_id, v.service_id order by v.number) as next_status
  from service_versions v join services s on s.organization_id = v.organization_id and s.id = v.service_id
), ends as materialized (
  select organization_id, service_id, number, until, status,
    greatest(lag(until) over (partition by organization_id, service_id order by number), first_seen) as status_from
  from states where status is distinct from next_status
), timed as (
  update service_versions v set status_from = e.status_from, span = version_span(e.status_from, e.until)
  from ends e
  where e.status is not null
    and v.organization_id = e.organization_id and v.service_id = e.service_id and v.number = e.number
)
update services s set status_at = e.until
  from (select organization_id, service_id, max(until) as until from ends group by 1, 2) e
  where s.organization_id = e.organization_id and s.id = e.service_id;

create index services_by_status_at on services (organization_id, status, status_at)
  where deleted_at is null and archived_at is null;
create index service_versions_by_span on service_versions (organization_id, status, span, until) include (status_from, service_id)
  where span is not null;
revoke all on function set_status_at() from public;
