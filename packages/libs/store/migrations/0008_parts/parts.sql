-- Parts of a host, such as its filesystems and disks: named things of a kind with numbers and labels. All parts of a host share
-- blocks, since most have few numbers: slot i of such a block is the metric `metrics[i]` of the part `parts[i]`.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create table parts (
  organization_id text not null,
  id integer generated always as identity,
  service_id text not null,
  kind text not null collate "C",
  name text not null collate "C",
  labels jsonb not null default '{}',
  -- The sample time of the payload that the labels are from; null while there were none.
  labels_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, service_id, kind, name)
);
create unique index parts_by_id on parts (id);
create index parts_by_kind on parts (organization_id, kind, service_id, name);
grant select on parts to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on parts to tidewatch_writer;

alter table blocks add column parts integer[] not null default '{}';
alter table blocks add constraint blocks_of_parts check (subject_kind <> 'part' or cardinality(parts) = cardinality(metrics));

-- Slots of parts that stay away remain in their block, so those are counted that had a value since the time.
create or replace function active_series(organization text, since timestamptz) returns bigint
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select coalesce(sum(case when b.subject_kind = 'part'
    then (select count(*) from unnest(l.times) as t (at) where t.at >= since) else cardinality(b.metrics) end), 0)::bigint
  from blocks b
  join block_latest l on l.block_id = b.id
  join services s on s.organization_id = b.organization_id and s.id = b.service_id
  where b.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.deleted_at is null and l.applied_at >= since
$$;

create or replace function known_series(organization text, hosts text[], since timestamptz)
returns table (host text, container text, metrics text[])
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, case when b.subject_kind = 'container' then b.subject_name end, b.metrics
  from services s
  join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
  join block_latest l on l.block_id = b.id
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since and b.subject_kind in ('host', 'container')
$$;

-- The series of parts of some hosts of the bound organization that had a value since the time, as known_series() has the others.
create function known_parts(organization text, hosts text[], since timestamptz)
returns table (host text, kind text, name text, metric text)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, p.kind, p.name, m.metric
  from services s
  join blocks b on b.organization_id = s.organization_id and b.service_id = s.id and b.subject_kind = 'part'
  join block_latest l on l.block_id = b.id
  cross join lateral unnest(b.parts, b.metrics, l.times) as m (part, metric, at)
  join parts p on p.organization_id = b.organization_id and p.id = m.part
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and m.at >= since
$$;
revoke all on function known_parts(text, text[], timestamptz) from public;
grant execute on function known_parts(text, text[], timestamptz) to tidewatch_api;
select isolate_organizations();
