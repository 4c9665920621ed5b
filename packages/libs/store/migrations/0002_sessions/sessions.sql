-- Sessions of browsers in the console, the one-time links that make them, and the id of the installation in the cookie's name.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- Cookies ignore ports, so the names of the cookies of two installations on one host differ by this id.
create table installation (
  cookie_id text not null default lpad(floor(random() * 100000000)::bigint::text, 8, '0') check (cookie_id ~ '^[0-9]{8}$'),
  only_row boolean primary key default true check (only_row)
);
insert into installation default values;
grant select on installation to tidewatch_api;

-- A session acts for a key, and may do what the key may do or less. The token is in the cookie alone. A session that has ended is
-- deleted; that it ended is in the audit log.
create table sessions (
  organization_id text not null,
  id text not null,
  key_id text not null,
  token_sha256 bytea not null unique,
  kind text not null check (kind in ('person', 'display')),
  name text,
  scopes text[] not null,
  user_agent text,
  address text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  confirmed_until timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
) with (fillfactor = 70);
create index sessions_listed on sessions (organization_id, created_at, id);
create index sessions_by_key on sessions (organization_id, key_id);
grant select, insert, update, delete on sessions to tidewatch_api;

-- A link is kept until it expires, so that whoever opens it a second time learns that it was used.
create table sign_in_links (
  organization_id text not null,
  id text not null,
  key_id text not null,
  secret_sha256 bytea not null unique,
  kind text not null check (kind in ('person', 'display')),
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
);
create index sign_in_links_by_key on sign_in_links (organization_id, key_id);
create index sign_in_links_by_end on sign_in_links (organization_id, expires_at);
grant select, insert, update, delete on sign_in_links to tidewatch_api;

-- The session with which a key made a change; null where the key itself was sent.
alter table audit add column session_id text;

-- A session is read by the digest of its token before its organization is known; only its browser can compute the digest.
create function find_session(digest bytea)
returns table (id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[],
  expires_at timestamptz, revoked_at timestamptz, session_id text, kind text, session_scopes text[], last_used_at timestamptz,
  confirmed_until timestamptz, session_expires_at timestamptz)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at, s.id, s.kind, s.scopes,
    s.last_used_at, s.confirmed_until, s.expires_at
  from sessions s join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
  where s.token_sha256 = digest
$$;

-- A link is read by the digest of its secret, likewise.
create function find_sign_in_link(digest bytea)
returns table (id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[],
  expires_at timestamptz, revoked_at timestamptz, link_id text, kind text, link_name text, link_scopes text[],
  link_expires_at timestamptz, used_at timestamptz)
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at, l.id, l.kind, l.name,
    l.scopes, l.expires_at, l.used_at
  from sign_in_links l join api_keys k on k.organization_id = l.organization_id and k.id = l.key_id
  where l.secret_sha256 = digest
$$;

-- The open sessions of all organizations: a number, and nothing of them.
create function count_open_sessions(used_after timestamptz) returns integer
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select count(*)::integer
  from sessions s join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
  where s.expires_at > now() and (s.kind = 'display' or s.last_used_at > used_after)
    and (k.revoked_at is null or k.revoked_at > now()) and (k.expires_at is null or k.expires_at > now())
$$;

-- Processes that cache sessions check one counter for all of them. Not for new sessions, which nobody has cached, and not for uses
-- and confirmations, which end nothing.
insert into revisions (name, revision) values ('sessions', 0);
create function sessions_changed() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  update revisions set revision = revision + 1 where name = 'sessions';
  return null;
end $$;
create trigger sessions_changed after update of token_sha256, scopes, expires_at or delete on sessions
  for each statement execute function sessions_changed();

revoke all on function find_session(bytea), find_sign_in_link(bytea), count_open_sessions(timestamptz), sessions_changed() from public;
grant execute on function find_session(bytea), find_sign_in_link(bytea), count_open_sessions(timestamptz) to tidewatch_api;

select isolate_organizations();
