-- What a role reaches beside what it is meant to: chunks by their own names, and functions that take any organization.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- A chunk gets the grants of its hypertable when it is made, and policies never. Nobody needs them, since a statement is
-- held to the grants of the relation that it names, and grants of columns are not handed on. So on hypertables there are
-- grants of columns alone, and none on what lies in TimescaleDB's own schema, which cannot be closed: the extension looks
-- into it in the name of whoever connects. To be called, as the role that migrates, by every later migration that grants
-- anything on these relations or adds a column to one.
create function hide_chunks() returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  granted record;
  hidden record;
  edition constant text := (select name from store_edition);
begin
  -- Columns of a relation with columnstore can be granted only past TimescaleDB, which hands such a grant to a relation
  -- without these columns; and only a superuser gets past it. Where that fails, everything stays as it is.
  begin
    perform set_config('timescaledb.restoring', 'on', true) where edition = 'community';
    for granted in
      select c.relname, g.rolname, string_agg(format('%s (%s)', a.privilege, c.columns), ', ')
        filter (where a.privilege <> 'DELETE') as privileges
      from (
        select c.relname, c.relacl, c.relowner,
          (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
            where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
        from pg_class c
        where c.relnamespace = 'tidewatch'::regnamespace and c.relkind = 'r'
          and c.relname in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots')
      ) c
      cross join lateral (
        select grantee, privilege_type as privilege from aclexplode(c.relacl)
        where grantee <> c.relowner and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
      ) a
      join pg_roles g on g.oid = a.grantee
      group by 1, 2
    loop
      execute format('revoke select, insert, update, delete on %I from %I', granted.relname, granted.rolname);
      execute format('grant %s on %I to %I', granted.privileges, granted.relname, granted.rolname);
    end loop;
    perform set_config('timescaledb.restoring', 'off', true) where edition = 'community';
  exception when others then
    if edition <> 'community' then
      raise;
    end if;
    raise warning 'chunks can be read by their names, which takes a superuser to end in the Community edition: %', sqlerrm;
    return;
  end;
  for hidden in
    select distinct c.relname, g.rolname
    from pg_class c
    join pg_roles o on o.oid = c.relowner and o.rolname in ('tidewatch_owner', 'tidewatch_rollups')
    cross join lateral (
      select grantee from aclexplode(c.relacl)
      union select a.grantee from pg_attribute t cross join lateral aclexplode(t.attacl) a where t.attrelid = c.oid
    ) a
    join pg_roles g on g.oid = a.grantee and g.oid <> c.relowner
    where c.relnamespace = to_regnamespace('_timescaledb_internal') and c.relkind in ('r', 'v')
  loop
    execute format('revoke all on _timescaledb_internal.%I from %I', hidden.relname, hidden.rolname);
  end loop;
end $$;
revoke all on function hide_chunks() from public;

reset role;
select tidewatch.hide_chunks();
set local role tidewatch_owner;

-- Nothing deletes rows there: what retention no longer keeps goes as whole partitions.
do $$
begin
  if current_setting('tidewatch.edition') = 'plain' then
    revoke delete on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d, snapshots from tidewatch_writer;
  end if;
end $$;

-- The organization that is bound, and no other: a function of the owner passes by policies.
create or replace function active_series(organization text, since timestamptz) returns bigint
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select coalesce(sum(cardinality(b.metrics)), 0)::bigint
  from blocks b
  join block_latest l on l.block_id = b.id
  join services s on s.org_id = b.org_id and s.id = b.service_id
  where b.org_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.deleted_at is null and l.applied_at >= since
$$;

create or replace function known_series(organization text, hosts text[], since timestamptz)
returns table (host text, container text, metrics text[])
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select s.host, case when b.subject_kind = 'container' then b.subject_name end, b.metrics
  from services s
  join blocks b on b.org_id = s.org_id and b.service_id = s.id
  join block_latest l on l.block_id = b.id
  where s.org_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since
$$;

-- As before, of the keys of the organization that is bound: those of others are passed over.
create or replace function note_key_uses(uses jsonb) returns void
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  bound constant text := current_setting('tidewatch.organization', true);
begin
  perform 1 from api_keys k
  join jsonb_to_recordset(uses) as u (org_id text, key_id text) on k.org_id = u.org_id and k.id = u.key_id
  where k.org_id = bound
  order by k.org_id, k.id for no key update of k;
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from jsonb_to_recordset(uses) as u (org_id text, key_id text, at timestamptz)
  where k.org_id = u.org_id and k.id = u.key_id and k.org_id = bound;
  insert into key_hosts as known (org_id, key_id, host, last_used_at)
    select k.org_id, k.id, h.host, max(u.at)
    from jsonb_to_recordset(uses) as u (org_id text, key_id text, at timestamptz, hosts jsonb)
    join api_keys k on k.org_id = u.org_id and k.id = u.key_id
    cross join lateral jsonb_array_elements_text(u.hosts) as h (host)
    where k.org_id = bound
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (org_id, key_id, host) do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at);
  delete from key_hosts old
  using (
    select h.org_id, h.key_id, h.host,
      row_number() over (partition by h.org_id, h.key_id order by h.last_used_at desc, h.host) as place
    from key_hosts h
    join jsonb_to_recordset(uses) as u (org_id text, key_id text) on h.org_id = u.org_id and h.key_id = u.key_id
    where h.org_id = bound
  ) ranked
  where ranked.place > 100
    and old.org_id = ranked.org_id and old.key_id = ranked.key_id and old.host = ranked.host;
end $$;
