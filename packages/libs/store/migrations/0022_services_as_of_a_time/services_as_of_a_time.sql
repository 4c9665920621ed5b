-- Services as of a time without the versions that only their health made, and how many alerts are late, which decides on the index.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create statistics alerts_lateness on (created_at - fired_at) from alerts;

-- Whether tags, archiving or deletion ended a version: the first one after a time says which lists the service was in.
alter table service_versions add column is_listing boolean not null default true;
create index service_versions_listing on service_versions (organization_id, until) where is_listing;

create or replace function keep_service_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into service_versions (organization_id, service_id, until, is_listing, tags, status, status_reasons, status_since,
    active_critical, active_warning, active_info, archived_at)
  select o.organization_id, o.id, clock_timestamp(),
    (o.tags, o.archived_at, o.deleted_at) is distinct from (n.tags, n.archived_at, n.deleted_at),
    o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  where (o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info,
      o.archived_at, o.deleted_at)
    is distinct from (n.tags, n.status, n.status_reasons, n.status_since, n.active_critical, n.active_warning,
      n.active_info, n.archived_at, n.deleted_at);
  return null;
end $$;

alter table service_names add column first_seen timestamptz;
update service_names n set first_seen = s.first_seen from services s where s.organization_id = n.organization_id and s.id = n.id;
create index service_names_by_first_seen on service_names (organization_id, first_seen);

create or replace function list_service() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  was boolean := tg_op <> 'INSERT' and old.deleted_at is null and old.archived_at is null;
  stays boolean := tg_op <> 'DELETE' and new.deleted_at is null and new.archived_at is null;
  is_same boolean := was and stays and old.host = new.host;
  before jsonb := case when was then old.tags else '{}' end;
  after jsonb := case when stays then new.tags else '{}' end;
begin
  if was and not is_same then
    delete from service_names where organization_id = old.organization_id and host = old.host and id = old.id;
  end if;
  if stays and not is_same then
    insert into service_names (organization_id, host, id, first_seen) values (new.organization_id, new.host, new.id, new.first_seen);
  end if;
  if was then
    delete from service_tags t using jsonb_each_text(before) b
    where t.organization_id = old.organization_id and t.name = b.key and t.value = b.value and t.host = old.host and t.id = old.id
      and (not is_same or after ->> b.key is distinct from b.value);
  end if;
  if stays then
    insert into service_tags select new.organization_id, a.key, a.value, new.host, new.id from jsonb_each_text(after) a
    where not is_same or before ->> a.key is distinct from a.value;
  end if;
  return null;
end $$;
