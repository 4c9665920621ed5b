-- Rows of the log may hold services of sixteen buckets: those of 0 to 15 have the bucket -2, those of 16 to 31 have -3, and so on. The functions
-- for readers look for them too; nothing else in them is changed.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create or replace function stored_samples(organization text, block integer, slot integer, anchor integer, bucket smallint,
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
      where l.organization_id = $6 and l.bucket in (-1, -2 - ($7 >> 4), $7) and l.last >= $2 and l.first < $3
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

create or replace function latest_of(service text)
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
      where l.organization_id = $1 and l.bucket in (-1, -2 - (log_bucket($2) >> 4), log_bucket($2))';
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
