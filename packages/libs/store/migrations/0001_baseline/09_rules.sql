-- Rules, and the state of their alert instances.
create table alert_rules (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  enabled boolean not null,
  metric text not null,
  severity text not null,
  definition jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The rule's name in the system that manages it; it stands for one rule of the organization.
  external_id text generated always as (definition ->> 'external_id') stored,
  primary key (organization_id, id)
);
create index alert_rules_alive on alert_rules (organization_id, created_at, id) where deleted_at is null;
create unique index alert_rules_external_id on alert_rules (organization_id, external_id)
  where deleted_at is null and external_id is not null;
grant select on alert_rules to tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator;
grant select, insert, update on alert_rules to tidewatch_api;

create table rule_activity (
  organization_id text not null,
  rule_id text not null,
  last_evaluated_at timestamptz,
  pending_count integer not null default 0,
  firing_count integer not null default 0,
  primary key (organization_id, rule_id)
) with (fillfactor = 60);
grant select, insert, update, delete on rule_activity to tidewatch_evaluator;
grant select, insert, update on rule_activity to tidewatch_api;

-- State of every alert instance that is not inactive. Every state of a page can be stored once more without a change of an index.
create table rule_states (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  state text not null,
  pending_since timestamptz not null,
  clear_since timestamptz,
  evaluated_at timestamptz not null,
  -- Null where it fired because its metric was missing.
  value double precision,
  peak_value double precision,
  flap_count integer not null default 0,
  alert_id text,
  -- What the rule evaluated when this was written, so that an edit of metric or transform is noticed later.
  stream text,
  -- Of a rule with several thresholds: {"critical": {"state", "pendingSince", "clearSince"}, ...}, times in ms.
  levels jsonb,
  -- In how many payloads in a row the container or process was missing.
  missed smallint not null default 0,
  -- The sample that began what is pending: {"at", "value", "topic", "partition", "offset"}, time in ms.
  opened jsonb
) with (fillfactor = 50);
create index rule_states_by_rule on rule_states (organization_id, rule_id);
-- States are evaluated, stored and read service by service: in this order, what is stored at once is together in the key. The key
-- comes last, since of indexes that cost the same the planner takes the youngest.
alter table rule_states add primary key (organization_id, service_id, rule_id, subject_kind, subject_name);
grant select, insert, update, delete on rule_states to tidewatch_evaluator;
grant select on rule_states to tidewatch_investigator, tidewatch_api;

-- When each alert instance flapped last, so that a restart does not forget it. A flap counts for the severity that the alert had,
-- and for milder ones.
create table flaps (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  times timestamptz[] not null,
  last_at timestamptz not null,
  severities text[] not null,
  flapping_severity text,
  primary key (organization_id, rule_id, service_id, subject_kind, subject_name)
);
create index flaps_by_service on flaps (organization_id, service_id);
create index flaps_by_time on flaps (last_at);
grant select, insert, update, delete on flaps to tidewatch_evaluator;
grant select on flaps to tidewatch_api;
