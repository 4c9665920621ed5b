-- Roles, the schema, and what every part of the product reads. Migrations run as a role that may create roles; every object
-- belongs to tidewatch_owner, and the product connects as members of the group roles below, which own nothing.

-- Roles belong to the cluster, so a second database finds them there already.
do $$
declare
  name text;
begin
  foreach name in array array['tidewatch_owner', 'tidewatch_writer', 'tidewatch_evaluator', 'tidewatch_notifier',
    'tidewatch_investigator', 'tidewatch_api'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
  if not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'tidewatch_owner', 'member') then
    execute format('grant tidewatch_owner to %I', current_user);
  end if;
end $$;

create schema tidewatch authorization tidewatch_owner;
set local role tidewatch_owner;
-- Functions of TimescaleDB are in public.
set local search_path = tidewatch, public;
grant usage on schema tidewatch
  to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator, tidewatch_api;

-- The storage backend of this database, chosen before its first row. Backends differ in how relations are partitioned and rolled
-- up, never in their names, columns and answers.
create table storage_backend (
  name text not null check (name in ('plain', 'apache', 'community')),
  decided_at timestamptz not null default now(),
  only_row boolean primary key default true check (only_row)
);
insert into storage_backend (name) values (current_setting('tidewatch.storage_backend'));
grant select on storage_backend to tidewatch_writer, tidewatch_evaluator, tidewatch_investigator, tidewatch_api;

-- Counters by which readers that cache something see that it changed: raised with each change of rules, services, silences or
-- keys, and with each alert that is resolved by hand.
create table revisions (
  name text primary key,
  revision bigint not null default 0
);
insert into revisions (name, revision) values ('rules', 0), ('services', 0), ('silences', 0), ('resolved_by_hand', 0), ('keys', 0);
grant select on revisions to tidewatch_notifier, tidewatch_investigator;
grant select, insert, update on revisions to tidewatch_writer, tidewatch_evaluator, tidewatch_api;
