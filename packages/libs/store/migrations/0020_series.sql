-- What a gateway asks of the series of an organization. Functions, since it reads none of these tables otherwise.
-- A series is active while its block had a row since a time, and its service is not deleted.
set local role tidewatch_owner;
set local search_path = tidewatch;

create function active_series(organization text, since timestamptz) returns bigint
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select coalesce(sum(cardinality(b.metrics)), 0)::bigint
  from blocks b
  join block_latest l on l.block_id = b.id
  join services s on s.org_id = b.org_id and s.id = b.service_id
  where b.org_id = organization and s.deleted_at is null and l.applied_at >= since
$$;

-- `container` is null for the host itself.
create function known_series(organization text, hosts text[], since timestamptz)
returns table (host text, container text, metrics text[])
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, case when b.subject_kind = 'container' then b.subject_name end, b.metrics
  from services s
  join blocks b on b.org_id = s.org_id and b.service_id = s.id
  join block_latest l on l.block_id = b.id
  where s.org_id = organization and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since
$$;

revoke all on function active_series(text, timestamptz), known_series(text, text[], timestamptz) from public;
grant execute on function active_series(text, timestamptz), known_series(text, text[], timestamptz) to tidewatch_api;
