-- Keys that are managed, the audit log, and rows that only their own organization sees.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- `replaces` and `replaced_by` are ids of keys: a key that was rotated works on until it expires.
alter table api_keys add column created_by jsonb, add column replaces text, add column replaced_by text;
create index api_keys_listed on api_keys (org_id, created_at, id);
create index organizations_listed on organizations (created_at, id);

-- Hosts that a key has reported for, the hundred of them that did so last.
create table key_hosts (
  org_id text not null,
  key_id text not null,
  host text not null collate "C",
  last_used_at timestamptz not null,
  primary key (org_id, key_id, host),
  foreign key (org_id, key_id) references api_keys (org_id, id) on delete cascade
) with (fillfactor = 70);
grant select on key_hosts to tidewatch_api;

-- A key is looked up before anybody knows whose it is; whoever knows its digest holds it.
create function find_key(digest bytea)
returns table (id text, org_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[],
  expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select k.id, k.org_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at
  from api_keys k where k.secret_sha256 = digest
$$;

-- Notes when keys were used last, and for which hosts: [{ "org_id", "key_id", "at", "hosts" }], a key once. In the order of
-- the keys, so that processes that note the same ones do not wait for each other in a circle.
create function note_key_uses(uses jsonb) returns void
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  perform 1 from api_keys k
  join jsonb_to_recordset(uses) as u (org_id text, key_id text) on k.org_id = u.org_id and k.id = u.key_id
  order by k.org_id, k.id for no key update of k;
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from jsonb_to_recordset(uses) as u (org_id text, key_id text, at timestamptz)
  where k.org_id = u.org_id and k.id = u.key_id;
  insert into key_hosts as known (org_id, key_id, host, last_used_at)
    select k.org_id, k.id, h.host, max(u.at)
    from jsonb_to_recordset(uses) as u (org_id text, key_id text, at timestamptz, hosts jsonb)
    join api_keys k on k.org_id = u.org_id and k.id = u.key_id
    cross join lateral jsonb_array_elements_text(u.hosts) as h (host)
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (org_id, key_id, host) do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at);
  delete from key_hosts old
  using (
    select h.org_id, h.key_id, h.host,
      row_number() over (partition by h.org_id, h.key_id order by h.last_used_at desc, h.host) as place
    from key_hosts h
    join jsonb_to_recordset(uses) as u (org_id text, key_id text) on h.org_id = u.org_id and h.key_id = u.key_id
  ) ranked
  where ranked.place > 100
    and old.org_id = ranked.org_id and old.key_id = ranked.key_id and old.host = ranked.host;
end $$;

-- How many channels of all organizations were encrypted with another key than this: a number, and nothing of them.
create function count_channels_sealed_otherwise(sealed_with text) returns integer
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select count(*)::integer from channels where deleted_at is null and key_id <> sealed_with
$$;
revoke all on function find_key(bytea), note_key_uses(jsonb), count_channels_sealed_otherwise(text) from public;
grant execute on function find_key(bytea), note_key_uses(jsonb), count_channels_sealed_otherwise(text) to tidewatch_api;

-- Who changed what, from where. Never changed and never deleted.
create table audit (
  org_id text not null references organizations (id),
  id text not null,
  at timestamptz not null,
  key_id text not null,
  key_name text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  object_name text not null,
  ip text,
  before jsonb,
  after jsonb,
  primary key (org_id, id)
);
create index audit_listed on audit (org_id, at desc, id desc);
create index audit_by_object on audit (org_id, object_id, at desc, id desc);
create index audit_by_key on audit (org_id, key_id, at desc, id desc);
create index audit_by_action on audit (org_id, action, at desc, id desc);
grant select, insert on audit to tidewatch_api;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

-- A view reads with the rights of its owner, whom policies do not bind, unless it is told otherwise.
alter view alert_tallies set (security_invoker = true);
alter view service_tag_tallies set (security_invoker = true);
grant select on alert_counts, alert_count_changes, service_tag_counts, service_tag_count_changes to tidewatch_api;

-- TimescaleDB's chunks take over the grants of their table, but no policy, and everybody must be let into their schema. So
-- whoever is bound by policies has no grant on `snapshots`, and reads this view.
create view organization_snapshots as
  select "time", org_id, service_id, containers, processes from snapshots
  where org_id = current_setting('tidewatch.organization', true);
revoke all on snapshots from tidewatch_api;
grant select on organization_snapshots to tidewatch_api;

-- Puts every table that carries an organization under row-level security: tidewatch_api sees the rows of the organization
-- that is bound to its transaction or session by `tidewatch.organization`, without one none. The workers serve all
-- organizations; grants bound what they reach. To be called by every later migration that makes such a table.
create function isolate_organizations() returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  relation record;
  worker name;
begin
  for relation in
    select c.oid, c.relname, case c.relname when 'organizations' then 'id' else 'org_id' end as key
    from pg_class c
    where c.relnamespace = 'tidewatch'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'organizations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped))
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
