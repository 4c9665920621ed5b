-- What is stored of a series in either layout. Functions are stable, so that all statements of one call see one snapshot: a seal in
-- between moves samples from the log to chunks.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- The bucket of the log that has the records of a service (sample-log/buckets.ts).
create function log_bucket(service_id text) returns smallint
language plpgsql immutable strict as $$
declare
  hash bigint := 2166136261;
begin
  for place in 1 .. length(service_id) loop
    hash := ((hash # ascii(substr(service_id, place, 1))) * 16777619) & 4294967295;
  end loop;
  return (hash # (hash >> 8) # (hash >> 16) # (hash >> 24)) & 255;
end $$;

-- The organization of the reader. Raises insufficient_privilege for a login that is bound to none.
create function require_reader_organization() returns text
language plpgsql stable as $$
declare
  organization constant text := reader_organization();
begin
  if organization is null then
    raise insufficient_privilege using message = format('the login %s is bound to no organization', session_user),
      hint = 'A row of tidewatch.reader_logins binds it.';
  end if;
  return organization;
end $$;

-- Where a series is stored. `service` is an id or a host; a container or a part (<kind>:<name>) names another subject than the host.
create function places_of(organization text, service text, metric text, container text, part text)
returns table (service_id text, block_id integer, slot integer, anchor integer, bucket smallint)
language sql stable as $$
  select b.service_id, b.id, m.place::integer - 1, case b.ordinal when 0 then b.id else (
      select f.id from blocks f
      where f.organization_id = b.organization_id and f.service_id = b.service_id
        and f.subject_kind = b.subject_kind and f.subject_name = b.subject_name
      order by f.ordinal limit 1) end, log_bucket(b.service_id)
  from (
    select s.id from services s
    where s.organization_id = organization and s.deleted_at is null and (s.id = service or s.host = service)
    order by s.id = service desc limit 1
  ) s
  join blocks b on b.organization_id = organization and b.service_id = s.id
  cross join lateral unnest(b.metrics) with ordinality as m (name, place)
  where m.name = metric and metric <> '' and case b.subject_kind
    when 'host' then container is null and part is null
    when 'container' then container = b.subject_name and part is null
    else container is null and exists (
      select from parts p where p.organization_id = organization and p.service_id = b.service_id and p.id = b.parts[m.place]
        and p.kind || ':' || p.name = part)
  end
$$;

-- The samples of a slot in a range, each time once. Of equal times backfilled samples come first, then those of the log.
create function stored_samples(organization text, block integer, slot integer, anchor integer, bucket smallint,
  since timestamptz, until timestamptz)
returns table ("time" timestamptz, value double precision)
language plpgsql stable rows 1000 as $$
declare
  backfilled constant text := format('select b."time", b.v%1$s from samples_backfill b
    where b.block_id = $1 and b."time" >= $2 and b."time" < $3 and b.v%1$s is not null', slot);
begin
  if (select sample_layout from storage_backend) = 'rows' then
    return query execute format('select distinct on (x."time") x."time", x.value from (
        select s."time", s.v%1$s as value, 0 as standing from samples s
        where s.block_id = $1 and s."time" >= $2 and s."time" < $3 and s.v%1$s is not null
        union all select b."time", b.v%1$s, 2 from (%2$s) b
      ) x order by x."time", x.standing desc', slot, backfilled) using block, since, until;
    return;
  end if;
  return query execute format('
    with tail as (
      select distinct on (u.at) u.at, u.value
      from sample_log l cross join lateral unpack_log_row(l.data || ''''::bytea, $4, $1, $5) u
      where l.organization_id = $6 and l.bucket in (-1, $7) and l.last >= $2 and l.first < $3
      order by u.at, u.seq desc, l.seq desc, u.place desc
    ),
    stored as (
      select u.at, u.value
      from sample_chunks c cross join lateral unpack_chunk(c.data || ''''::bytea, $5) u
      where c.block_id = $1 and c.first >= date_trunc(''day'', $2) and c.first < $3 and c.last >= $2
        and not exists (select from sample_days d where d.block_id = $1 and d.day = c.first::date)
      union all
      select u.at, u.value
      from sample_days d cross join lateral unpack_chunk(d.data || ''''::bytea, $5) u
      where d.block_id = $1 and d.day >= $2::date and d.day < $3
    ),
    packed as (
      select to_timestamp(p.at / 1000) as "time", p.value, p.standing
      from (select t.at, t.value, 1 as standing from tail t union all select s.at, s.value, 0 from stored s) p
    )
    select distinct on (x."time") x."time", x.value
    from (
      select p."time", p.value, p.standing from packed p where p."time" >= $2 and p."time" < $3
      union all select b."time", b.v%1$s, 2 from (%2$s) b
    ) x order by x."time", x.standing desc', slot, backfilled)
    using block, since, until, anchor::bigint, slot, organization, bucket;
end $$;

-- The rollups of a slot for the days of a range whose samples are gone. Of the tiers whose buckets divide the step it is the coarsest
-- with buckets that end with the range, or else the finest, as far as it is kept.
create function stored_rollups(block integer, slot integer, since timestamptz, until timestamptz, step interval)
returns table ("time" timestamptz, sum double precision, count double precision, min double precision, max double precision)
language plpgsql stable rows 1000 as $$
declare
  is_log constant boolean := (select sample_layout from storage_backend) = 'log';
  seconds constant numeric := extract(epoch from step);
  day timestamptz := date_trunc('day', since);
  first timestamptz;
  last timestamptz;
  tier record;
  has_rows boolean;
begin
  while day < until loop
    if is_log then
      execute 'select exists (select from sample_days where block_id = $1 and day = $2::date)
        or exists (select from sample_chunks where block_id = $1 and first >= $2 and first < $2 + interval ''1 day'')'
        into has_rows using block, day;
    else
      select exists (select from samples s where s.block_id = block and s."time" >= day and s."time" < day + interval '1 day')
        into has_rows;
    end if;
    if not has_rows then
      first := greatest(day, since);
      last := least(day + interval '1 day', until);
      for tier in
        select * from (values ('packed_minutes', 'day', 'rollup_1m', interval '1 minute'), ('packed_hours', 'day', 'rollup_1h', interval '1 hour'),
          ('packed_days', 'month', 'rollup_1d', interval '1 day')) as t (packed, period, relation, width)
        cross join lateral (select (extract(epoch from first) % extract(epoch from t.width) = 0
          and extract(epoch from last) % extract(epoch from t.width) = 0)::integer as is_whole) w
        where seconds % extract(epoch from t.width) = 0
        order by w.is_whole desc, t.width * (1 - 2 * w.is_whole)
      loop
        if is_log then
          return query execute format('
            select b.at, r.sum, r.count, r.min, r.max
            from %1$I p cross join lateral unpack_rollups(p.data || ''''::bytea, $2) r
            cross join lateral (select p.%2$I::timestamptz + r.step * $3 as at) b
            where p.block_id = $1 and p.%2$I = date_trunc(%2$L, $4)::date and b.at >= $5 and b.at < $6',
            tier.packed, tier.period) using block, slot, tier.width, day, first, last;
        else
          return query execute format('select r.bucket, r.sum%1$s, r.cnt%1$s::float8, r.min%1$s, r.max%1$s from %2$I r
            where r.block_id = $1 and r.bucket >= $2 and r.bucket < $3 and r.cnt%1$s > 0',
            slot, tier.relation) using block, first, last;
        end if;
        exit when found;
      end loop;
    end if;
    day := day + interval '1 day';
  end loop;
end $$;

revoke all on function log_bucket(text), require_reader_organization(), places_of(text, text, text, text, text),
  stored_samples(text, integer, integer, integer, smallint, timestamptz, timestamptz),
  stored_rollups(integer, integer, timestamptz, timestamptz, interval) from public;
