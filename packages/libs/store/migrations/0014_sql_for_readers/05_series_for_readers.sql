-- What readers call. Each function reads the organization that their login is bound to, and no other.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- The samples of a series as they were stored, in the order of time. It is not named after the relation `samples`, since a tool
-- that lists both would show two things of one name.
create function samples_of(service text, metric text, since timestamptz, until timestamptz,
  container text default null, part text default null)
returns table ("time" timestamptz, value double precision)
language plpgsql stable security definer rows 1000 set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
declare
  organization constant text := require_reader_organization();
begin
  return query select s."time", s.value
    from places_of(organization, service, metric, container, part) p
    cross join lateral stored_samples(organization, p.block_id, p.slot, p.anchor, p.bucket, since, until) s
    order by s."time";
end $$;

-- The steps of a series that have samples, aligned to the epoch. Where samples are no longer kept they are of rollups. Sums of decimals
-- are the doubles nearest to the exact sums.
create function steps_of(service text, metric text, since timestamptz, until timestamptz, step interval default '1 minute',
  container text default null, part text default null)
returns table ("time" timestamptz, mean double precision, sum double precision, count bigint, min double precision, max double precision)
language plpgsql stable security definer rows 1000
set search_path = tidewatch, pg_temp set timezone = 'UTC' set extra_float_digits = 1 as $$
#variable_conflict use_column
declare
  organization constant text := require_reader_organization();
  begins constant timestamptz := '1970-01-01';
begin
  if not (isfinite(since) and isfinite(until)) or extract(epoch from step) < 1
    or extract(epoch from until - since) > 100000 * extract(epoch from step) then
    raise invalid_parameter_value using message = 'a range is finite and has at most 100000 steps of a second or more';
  end if;
  return query
    with places as materialized (select p.* from places_of(organization, service, metric, container, part) p),
    samples as (
      select date_bin(step, s."time", begins) as at, s."time", s.value, s.value::text as digits
      from places p cross join lateral stored_samples(organization, p.block_id, p.slot, p.anchor, p.bucket, since, until) s
    ),
    sampled as (
      select s.at, count(*)::float8 as count, min(s.value) as min, max(s.value) as max,
        -- Decimals that a column stores as integers; see domain/src/rollup/exact-sum.ts.
        case when max(scale(s.digits::numeric)) > 6 or bool_or(s.digits = '-0')
            or max(abs(s.digits::numeric)) * 10::numeric ^ max(scale(s.digits::numeric)) > 1125899906842624
          then 0::float8 + sum(greatest(-1e290::float8, least(s.value, 1e290::float8)) order by s."time")
          else sum(s.digits::numeric)::float8 end as sum
      from samples s group by s.at
    ),
    steps as (
      select s.at, s.sum, s.count, s.min, s.max from sampled s
      union all
      select date_bin(step, r."time", begins), sum(r.sum order by r."time"), sum(r.count), min(r.min), max(r.max)
      from places p cross join lateral stored_rollups(p.block_id, p.slot, since, until, step) r
      group by 1
    )
    select s.at, sum(s.sum) / sum(s.count), sum(s.sum), sum(s.count)::bigint, min(s.min), max(s.max)
    from steps s group by s.at order by s.at;
end $$;

-- The newest value of every series of a service. Container and part are null for series of the host itself.
create function latest_of(service text)
returns table (metric text, container text, part text, "time" timestamptz, value double precision)
language plpgsql stable security definer rows 100 set search_path = tidewatch, pg_temp set timezone = 'UTC' as $$
#variable_conflict use_column
declare
  organization constant text := require_reader_organization();
  found_service constant text := (
    select s.id from services s
    where s.organization_id = organization and s.deleted_at is null and (s.id = service or s.host = service)
    order by s.id = service desc limit 1);
  tail text := '';
begin
  if (select sample_layout from storage_backend) = 'log' then
    tail := 'union all
      select u.block_id, u.slot, to_timestamp(u.at / 1000), u.value, u.seq, u.place
      from sample_log l cross join lateral unnest($3) a (id)
      cross join lateral unpack_log_row(l.data || ''''::bytea, a.id, null, null) u
      where l.organization_id = $1 and l.bucket in (-1, log_bucket($2))';
  end if;
  return query execute format('
    with latest as (
      select l.block_id, v.place::integer - 1 as slot, v."time", v.value, -1::bigint as seq, 0 as place
      from blocks b join block_latest l on l.block_id = b.id
      cross join lateral unnest(l.times, l.vals) with ordinality as v ("time", value, place)
      where b.organization_id = $1 and b.service_id = $2 and v."time" > ''-infinity'' and v.value is not null
      %s
    ),
    newest as (
      select distinct on (l.block_id, l.slot) l.* from latest l order by l.block_id, l.slot, l."time" desc, l.seq desc, l.place desc
    )
    select b.metrics[n.slot + 1]::text, case b.subject_kind when ''container'' then b.subject_name::text end,
      (p.kind || '':'' || p.name)::text, n."time", n.value
    from newest n join blocks b on b.id = n.block_id and b.organization_id = $1
    left join parts p on p.organization_id = $1 and b.subject_kind = ''part'' and p.id = b.parts[n.slot + 1]
    where b.metrics[n.slot + 1] <> '''' order by 2 nulls first, 3 nulls first, 1', tail)
    using organization, found_service, array(
      select distinct on (b.subject_kind, b.subject_name) b.id::bigint from blocks b
      where b.organization_id = organization and b.service_id = found_service
      order by b.subject_kind, b.subject_name, b.ordinal);
end $$;

revoke all on function samples_of(text, text, timestamptz, timestamptz, text, text),
  steps_of(text, text, timestamptz, timestamptz, interval, text, text), latest_of(text) from public;
grant execute on function samples_of(text, text, timestamptz, timestamptz, text, text),
  steps_of(text, text, timestamptz, timestamptz, interval, text, text), latest_of(text) to tidewatch_reader;
