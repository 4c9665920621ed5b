-- Row-level security between organizations, and chunks that nobody reads by their own names.

-- TimescaleDB's chunks take over the grants of their table, but no policy. So whoever is bound by policies has no grant on
-- `snapshots`, and reads this view, which reads with the rights of its owner.
create view organization_snapshots as
  select "time", organization_id, service_id, containers, processes from snapshots
  where organization_id = current_setting('tidewatch.organization', true);
grant select on organization_snapshots to tidewatch_api;

-- Puts every table that carries an organization under row-level security: tidewatch_api sees the rows of the organization that is
-- bound to its transaction or session by `tidewatch.organization`, without one none. The other group roles serve all
-- organizations; grants limit what they reach. Every later migration that makes such a table calls it.
create function isolate_organizations() returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  relation record;
  worker name;
begin
  for relation in
    select c.oid, c.relname, case c.relname when 'organizations' then 'id' else 'organization_id' end as key
    from pg_class c
    where c.relnamespace = 'tidewatch'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'organizations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
    order by c.relname
  loop
    execute format('alter table %I enable row level security', relation.relname);
    if not exists (select from pg_policy where polrelid = relation.oid and polname = 'organization') then
      execute format(
        'create policy organization on %I to tidewatch_api using (%I = current_setting(''tidewatch.organization'', true))',
        relation.relname, relation.key);
    end if;
    for worker in
      select distinct g.rolname
      from (
        select (aclexplode(c.relacl)).grantee from pg_class c where c.oid = relation.oid
        union select (aclexplode(a.attacl)).grantee from pg_attribute a where a.attrelid = relation.oid
      ) granted
      join pg_roles g on g.oid = granted.grantee
      where g.rolname not in ('tidewatch_owner', 'tidewatch_api')
        and not exists (select from pg_policy p where p.polrelid = relation.oid and p.polname = g.rolname)
    loop
      execute format('create policy %I on %I to %I using (true)', worker, relation.relname, worker);
    end loop;
  end loop;
end $$;
revoke all on function isolate_organizations() from public;
select isolate_organizations();

-- The operator of the installation lists organizations, and nothing of theirs.
create policy operator on organizations for select to tidewatch_api
  using (current_setting('tidewatch.organization', true) = 'installation');

-- A chunk gets the grants of its hypertable when it is made, and never policies. Nobody needs grants on chunks, since a statement is
-- checked against the grants of the relation that it names, and grants of columns are not handed on. So on hypertables there are
-- grants of columns alone, and none on what is in TimescaleDB's own schema, which cannot be closed: the extension reads it in the
-- name of whoever connects. Every later migration that grants anything on these relations, or adds a column to one, calls it as the
-- role that migrates.
create function hide_chunks() returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  granted record;
  hidden record;
  backend constant text := (select name from storage_backend);
begin
  -- Columns of a relation with columnstore can be granted only past TimescaleDB, which hands such a grant to a relation
  -- without these columns; and only a superuser gets past it. Where that fails, everything stays as it is.
  begin
    perform set_config('timescaledb.restoring', 'on', true) where backend = 'community';
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
    perform set_config('timescaledb.restoring', 'off', true) where backend = 'community';
  exception when others then
    if backend <> 'community' then
      raise;
    end if;
    raise warning 'chunks can be read by their names, which takes a superuser to end in TimescaleDB Community: %', sqlerrm;
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
