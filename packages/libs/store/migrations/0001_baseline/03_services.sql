-- Services, which are the monitored hosts; their live values, versions and changed tags.

-- `id` is public. Deleted services keep their row, so a host may have several rows, one of them not deleted.
create table services (
  organization_id text not null references organizations (id),
  id text not null,
  host text not null collate "C",
  tags jsonb not null default '{}',
  tags_at timestamptz,
  first_seen timestamptz not null,
  status text not null default 'healthy',
  status_reasons jsonb not null default '[]',
  status_since timestamptz not null,
  active_critical integer not null default 0,
  active_warning integer not null default 0,
  active_info integer not null default 0,
  archived_at timestamptz,
  deleted_at timestamptz,
  primary key (organization_id, id)
) with (fillfactor = 80);
-- The fewer indexes hold what changes, the more updates stay on their page.
create unique index services_by_host on services (organization_id, host) where deleted_at is null;
create index services_deleted_by_host on services (organization_id, host, deleted_at) where deleted_at is not null;
create index services_deleted_by_time on services (deleted_at) where deleted_at is not null;
create index services_by_status on services (organization_id, status, host, id) where deleted_at is null and archived_at is null;
create index services_archived on services (organization_id, host, id) where deleted_at is null and archived_at is not null;
grant select on services to tidewatch_notifier, tidewatch_investigator;
grant select, insert, update on services to tidewatch_writer, tidewatch_evaluator, tidewatch_api;

-- What changes with every payload, flushed at most twice a second; apart from services so that those rows change seldom.
create table service_live (
  organization_id text not null,
  service_id text not null,
  last_seen timestamptz not null,
  last_sample_at timestamptz,
  interval_seconds double precision,
  clock_offset_seconds double precision,
  clock_skew_seconds double precision,
  cpu_percent double precision,
  memory_percent double precision,
  disk_percent double precision,
  primary key (organization_id, service_id)
) with (fillfactor = 60);
grant select on service_live to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on service_live to tidewatch_writer;

-- What a service was until a time. The first version that lasted beyond a time is what it was then; where there is none, it has
-- not changed since.
create table service_versions (
  organization_id text not null,
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
  primary key (organization_id, service_id, number)
);
create index service_versions_by_time on service_versions (organization_id, until);
grant select, delete on service_versions to tidewatch_writer;
grant select on service_versions to tidewatch_api;

-- A plan that was made for few rows stays when thousands change at once, and the other way round: without a hash each row would
-- be compared with all.
create function keep_service_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into service_versions (organization_id, service_id, until, tags, status, status_reasons, status_since, active_critical,
    active_warning, active_info, archived_at)
  select o.organization_id, o.id, clock_timestamp(), o.tags, o.status, o.status_reasons, o.status_since, o.active_critical,
    o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  where (o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info,
      o.archived_at, o.deleted_at)
    is distinct from (n.tags, n.status, n.status_reasons, n.status_since, n.active_critical, n.active_warning,
      n.active_info, n.archived_at, n.deleted_at);
  return null;
end $$;
create trigger service_versions_kept after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function keep_service_versions();
revoke all on function keep_service_versions() from public;

-- Changes of a service's tags, by the time of the payload that carried the new ones.
create table tag_changes (
  organization_id text not null,
  service_id text not null,
  at timestamptz not null,
  before jsonb not null,
  after jsonb not null,
  primary key (organization_id, service_id, at)
);
create index tag_changes_listed on tag_changes (organization_id, at);
create index tag_changes_by_time on tag_changes (at);
grant select, delete on tag_changes to tidewatch_writer;
grant select on tag_changes to tidewatch_investigator;

-- Changes within a minute of the last one are one change, so that a tag which changes all the time does not fill the table.
create function keep_tag_change() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  update tag_changes c set after = new.tags
  where c.organization_id = new.organization_id and c.service_id = new.id
    and c.at > new.tags_at - interval '1 minute' and c.at <= new.tags_at;
  if not found then
    insert into tag_changes (organization_id, service_id, at, before, after)
      values (new.organization_id, new.id, new.tags_at, old.tags, new.tags);
  end if;
  return null;
end $$;
-- The first tags of a service are no change.
create trigger services_tag_changes_kept after update of tags on services for each row
  when (old.tags_at is not null and new.tags_at is not null and old.tags is distinct from new.tags)
  execute function keep_tag_change();
revoke all on function keep_tag_change() from public;
