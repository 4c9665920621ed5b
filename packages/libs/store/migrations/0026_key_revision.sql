-- Processes that know keys ask one question for all of them: whether any was changed since.
set local role tidewatch_owner;
set local search_path = tidewatch;

insert into revisions (name) values ('keys');

create function keys_changed() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  update revisions set revision = revision + 1 where name = 'keys';
  return null;
end $$;
revoke all on function keys_changed() from public;

-- A key that is new was known to nobody, and when one was used last says nothing of what it opens.
create trigger keys_changed
  after update of secret_sha256, scopes, rate_limit_per_minute, hosts, expires_at, revoked_at or delete on api_keys
  for each statement execute function keys_changed();
