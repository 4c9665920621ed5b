-- Values of parts as fresh as live rows where samples are a log: `block_latest` is then as of the last seal, and lists of parts are not.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- One row for all parts of a host, since a row for each block takes ten times as long to write. Block i of `blocks` has the elements
-- from 16 * i - 15 to 16 * i of both arrays. `times` is null where every value has the time `at`, as when a payload has all parts: without
-- it a row takes half as long. Only the log of samples needs it: with rows `block_latest` is written at once.
create table parts_live (
  organization_id text not null,
  service_id text not null,
  applied_at timestamptz not null,
  blocks integer[] not null,
  at timestamptz not null,
  times timestamptz[],
  vals double precision[] not null,
  primary key (organization_id, service_id)
) with (fillfactor = 60, toast_tuple_target = 8160);
alter table parts_live alter column times set storage external, alter column vals set storage external;
grant select on parts_live to tidewatch_evaluator, tidewatch_investigator, tidewatch_api;
grant select, insert, update, delete on parts_live to tidewatch_writer;
select isolate_organizations();

-- The blocks of parts with the latest value of each slot and its sample time; slots without a value may have a time.
create view part_latest with (security_invoker = true) as
  select b.organization_id, b.service_id, b.id as block_id, b.listed, b.metrics, b.parts,
    greatest(l.applied_at, v.applied_at) as applied_at,
    case when v.place is null then l.times when v.times is null then array_fill(v.at, array[16])
      else v.times[16 * v.place - 15 : 16 * v.place] end as times,
    case when v.place is null then l.vals else v.vals[16 * v.place - 15 : 16 * v.place] end as vals
  from blocks b
  left join block_latest l on l.block_id = b.id
  left join lateral (
    select p.applied_at, p.at, p.times, p.vals, array_position(p.blocks, b.id) as place from parts_live p
    where p.organization_id = b.organization_id and p.service_id = b.service_id) v on true
  where b.subject_kind = 'part';
grant select on part_latest to tidewatch_evaluator, tidewatch_investigator, tidewatch_api, tidewatch_writer;

create or replace function active_series(organization text, since timestamptz) returns bigint
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select coalesce(sum(active.series), 0)::bigint
  from (
    select b.service_id, cardinality(b.metrics) as series
    from blocks b join block_latest l on l.block_id = b.id
    where b.organization_id = organization and b.subject_kind <> 'part' and l.applied_at >= since
    union all
    select l.service_id, (select count(*) from unnest(l.parts, l.times) as t (part, at) where t.at >= since and t.part is not null)
    from part_latest l where l.organization_id = organization and l.applied_at >= since
  ) active
  join services s on s.organization_id = organization and s.id = active.service_id
  where organization = current_setting('tidewatch.organization', true) and s.deleted_at is null
$$;

create or replace function known_parts(organization text, hosts text[], since timestamptz)
returns table (host text, kind text, name text, metric text)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, p.kind, p.name, m.metric
  from services s
  join part_latest l on l.organization_id = s.organization_id and l.service_id = s.id
  cross join lateral unnest(l.parts, l.metrics, l.times) as m (part, metric, at)
  join parts p on p.organization_id = l.organization_id and p.id = m.part
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since and m.at >= since
$$;
