-- Silences, what they mute, and alerts that were resolved by hand.
set local role tidewatch_owner;
set local search_path = tidewatch;

create table silences (
  org_id text not null references organizations (id),
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
  -- Set once somebody has taken note of the end, whether it came by itself or by hand.
  ended_at timestamptz,
  deleted_at timestamptz,
  primary key (org_id, id)
);
create index silences_listed on silences (org_id, created_at, id) where deleted_at is null;
create index silences_unended on silences (ends_at) where ended_at is null;
create index silences_ended on silences (ended_at) where ended_at is not null;

-- Until when an alert is muted: the end of the window in which it fired.
alter table alerts add column silenced_until timestamptz;
create index alerts_silenced on alerts (org_id, silenced_by, silenced_until)
  where status = 'active' and silenced_by is not null;

-- Alerts that were resolved by hand and that judging has still to let go of.
create table resolved_by_hand (
  org_id text not null,
  alert_id text not null,
  service_id text not null,
  host text not null collate "C",
  primary key (org_id, alert_id)
);

-- Counters that are raised with each change of silences, and with each alert that is resolved by hand.
insert into revisions (name) values ('silences'), ('resolved_by_hand');

grant select, insert, update on silences to tidewatch_api;
grant select, insert on resolved_by_hand to tidewatch_api;
grant insert on alert_transitions to tidewatch_api;
grant select, update on silences to tidewatch_evaluator;
grant select, delete on resolved_by_hand to tidewatch_evaluator;
grant select, delete on silences to tidewatch_writer;
