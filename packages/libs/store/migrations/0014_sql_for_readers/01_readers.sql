-- SQL for the tools of users: logins that read one organization, through a view and functions of the owner alone. They have no
-- grant on any relation with data, so a setting of the session, which everybody may change, decides nothing.
do $$
begin
  create role tidewatch_reader nologin;
exception when duplicate_object or unique_violation then null;
end $$;

set local role tidewatch_owner;
set local search_path = tidewatch, public;
grant usage on schema tidewatch to tidewatch_reader;

-- The organization of each login that is a member of tidewatch_reader. Only the owner and superusers write to it.
create table reader_logins (
  organization_id text not null references organizations (id),
  login text not null unique,
  created_at timestamptz not null default now(),
  primary key (organization_id, login)
);
select isolate_organizations();

-- The organization of the login that opened the session, whatever role or setting the session has now; null if it is bound to none.
create function reader_organization() returns text
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select organization_id from reader_logins where login = session_user
$$;

-- The services of the reader's organization that are not deleted. It reads with the rights of its owner; as a security barrier it shows
-- no row of another organization to functions in conditions of the reader.
create view reader_services with (security_barrier) as
  select s.id, s.host, s.tags, s.status, s.status_reasons, s.status_since, s.active_critical, s.active_warning, s.active_info,
    s.first_seen, l.last_seen, l.last_sample_at, l.interval_seconds, l.cpu_percent, l.memory_percent, l.disk_percent, s.archived_at
  from services s
  left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
  where s.organization_id = (select reader_organization()) and s.deleted_at is null;

revoke all on function reader_organization() from public;
grant execute on function reader_organization() to tidewatch_reader;
grant select on reader_services to tidewatch_reader;
