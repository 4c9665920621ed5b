-- Keys of people who sign in with an identity provider. They have no secret, so that no program can use them.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table api_keys
  alter column secret_sha256 drop not null,
  add column kind text not null default 'program' check (kind in ('program', 'person')),
  -- The issuer and the subject of the user there, which stay the same when the email address changes.
  add column person_issuer text,
  add column person_subject text,
  add constraint api_keys_person check (
    case kind
      when 'program' then secret_sha256 is not null and person_issuer is null and person_subject is null
      else secret_sha256 is null and person_issuer is not null and person_subject is not null
    end);
create unique index api_keys_of_people on api_keys (organization_id, person_issuer, person_subject) where kind = 'person';
