-- Organizations, their API keys, and the audit log.
create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);
create index organizations_listed on organizations (created_at, id);
grant select on organizations to tidewatch_evaluator;
grant select, insert, update on organizations to tidewatch_api;

-- `replaces` and `replaced_by` are ids of keys: a key that was rotated stays valid until it expires.
create table api_keys (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  prefix text not null,
  secret_sha256 bytea not null unique,
  scopes text[] not null,
  rate_limit_per_minute integer,
  hosts text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by jsonb,
  replaces text,
  replaced_by text,
  primary key (organization_id, id)
);
create index api_keys_listed on api_keys (organization_id, created_at, id);
grant select, insert, update on api_keys to tidewatch_api;

-- The hosts for which a key was used, at most the hundred latest.
create table key_hosts (
  organization_id text not null,
  key_id text not null,
  host text not null collate "C",
  last_used_at timestamptz not null,
  primary key (organization_id, key_id, host),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
) with (fillfactor = 70);
grant select on key_hosts to tidewatch_api;

-- A key is read by its digest before its organization is known; only its holder can compute the digest.
create function find_key(digest bytea)
returns table (id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[],
  expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at
  from api_keys k where k.secret_sha256 = digest
$$;

-- Records when keys were used last and for which hosts: [{ "organization_id", "key_id", "at", "hosts" }], each key once.
-- Keys of organizations other than the bound one are skipped. Rows are locked in the order of the keys, so that processes which
-- record the same ones do not deadlock.
create function note_key_uses(uses jsonb) returns void
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  bound constant text := current_setting('tidewatch.organization', true);
begin
  perform 1 from api_keys k
  join jsonb_to_recordset(uses) as u (organization_id text, key_id text) on k.organization_id = u.organization_id and k.id = u.key_id
  where k.organization_id = bound
  order by k.organization_id, k.id for no key update of k;
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from jsonb_to_recordset(uses) as u (organization_id text, key_id text, at timestamptz)
  where k.organization_id = u.organization_id and k.id = u.key_id and k.organization_id = bound;
  insert into key_hosts as known (organization_id, key_id, host, last_used_at)
    select k.organization_id, k.id, h.host, max(u.at)
    from jsonb_to_recordset(uses) as u (organization_id text, key_id text, at timestamptz, hosts jsonb)
    join api_keys k on k.organization_id = u.organization_id and k.id = u.key_id
    cross join lateral jsonb_array_elements_text(u.hosts) as h (host)
    where k.organization_id = bound
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, key_id, host) do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at);
  delete from key_hosts old
  using (
    select h.organization_id, h.key_id, h.host,
      row_number() over (partition by h.organization_id, h.key_id order by h.last_used_at desc, h.host) as place
    from key_hosts h
    join jsonb_to_recordset(uses) as u (organization_id text, key_id text) on h.organization_id = u.organization_id and h.key_id = u.key_id
    where h.organization_id = bound
  ) ranked
  where ranked.place > 100
    and old.organization_id = ranked.organization_id and old.key_id = ranked.key_id and old.host = ranked.host;
end $$;

-- Processes that cache keys check one counter for all of them.
create function keys_changed() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  update revisions set revision = revision + 1 where name = 'keys';
  return null;
end $$;
-- Not for new keys, which nobody has cached, and not for the time of the last use, which changes no right.
create trigger keys_changed
  after update of secret_sha256, scopes, rate_limit_per_minute, hosts, expires_at, revoked_at or delete on api_keys
  for each statement execute function keys_changed();
revoke all on function find_key(bytea), note_key_uses(jsonb), keys_changed() from public;
grant execute on function find_key(bytea), note_key_uses(jsonb) to tidewatch_api;

-- Who changed what, and from which address. Rows are never changed and never deleted.
create table audit (
  organization_id text not null references organizations (id),
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
  primary key (organization_id, id)
);
create index audit_listed on audit (organization_id, at desc, id desc);
create index audit_by_object on audit (organization_id, object_id, at desc, id desc);
create index audit_by_key on audit (organization_id, key_id, at desc, id desc);
create index audit_by_action on audit (organization_id, action, at desc, id desc);
grant select, insert on audit to tidewatch_api;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

-- Bytes that the audit log of an organization took in the current hour. They are limited, since nothing can shorten the log.
create table audit_usage (
  organization_id text primary key references organizations (id),
  hour timestamptz not null,
  bytes bigint not null
);
grant select, insert, update on audit_usage to tidewatch_api;
