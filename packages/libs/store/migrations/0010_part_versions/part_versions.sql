-- Whether a part was in the lists until a time. The first version that lasted beyond a time is what it was then; where there is none,
-- it has not changed since. Labels have no versions: senders may change them with each payload.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create table part_versions (
  organization_id text not null,
  part_id integer not null,
  number bigint generated always as identity,
  until timestamptz not null,
  listed boolean not null,
  gone boolean not null,
  primary key (organization_id, part_id, number)
);
create index part_versions_by_time on part_versions (organization_id, until);
grant select, delete on part_versions to tidewatch_writer;
grant select on part_versions to tidewatch_api;

-- As for versions of services, a plan without a hash would compare each row with all.
create function keep_part_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into part_versions (organization_id, part_id, until, listed, gone)
  select o.organization_id, o.id, clock_timestamp(), o.listed, o.gone
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  where (o.listed, o.gone) is distinct from (n.listed, n.gone);
  return null;
end $$;
create trigger part_versions_kept after update on parts
  referencing old table as old_rows new table as new_rows for each statement execute function keep_part_versions();
revoke all on function keep_part_versions() from public;
select isolate_organizations();
