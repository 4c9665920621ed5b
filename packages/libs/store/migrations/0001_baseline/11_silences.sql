-- Silences, and alerts that were resolved by hand.
create table silences (
  organization_id text not null references organizations (id),
  id text not null,
  matchers jsonb not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  recurrence text,
  timezone text not null,
  comment text not null,
  -- When the last window ends; infinity where it recurs for ever.
  ends_at timestamptz not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  -- Set once the end was processed, whether it came by itself or by hand.
  ended_at timestamptz,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create index silences_listed on silences (organization_id, created_at, id) where deleted_at is null;
create index silences_unended on silences (ends_at) where ended_at is null;
create index silences_ended on silences (ended_at) where ended_at is not null;
grant select, delete on silences to tidewatch_writer;
grant select, update on silences to tidewatch_evaluator;
grant select on silences to tidewatch_notifier, tidewatch_investigator;
grant select, insert, update on silences to tidewatch_api;

-- Alerts that were resolved by hand and whose state the evaluator has yet to drop.
create table resolved_by_hand (
  organization_id text not null,
  alert_id text not null,
  service_id text not null,
  host text not null collate "C",
  primary key (organization_id, alert_id)
);
grant select, delete on resolved_by_hand to tidewatch_evaluator;
grant select, insert on resolved_by_hand to tidewatch_api;
