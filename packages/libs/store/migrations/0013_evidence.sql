-- What led to each transition of an alert: which sample, where it lay in the log, and when it was where.
set local role tidewatch_owner;
set local search_path = tidewatch;

create table alert_transitions (
  org_id text not null,
  alert_id text not null,
  number bigint generated always as identity,
  from_state text not null,
  to_state text not null,
  reason text not null,
  -- Time of the sample, or of what stands for it.
  at timestamptz not null,
  value double precision,
  -- Null where it was not a sample, or where no log is kept.
  topic text,
  partition integer,
  log_offset bigint,
  received_at timestamptz,
  published_at timestamptz,
  consumed_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, alert_id, number),
  foreign key (org_id, alert_id) references alerts (org_id, id) on delete cascade
);
-- The sample that began what is pending: {"at", "value", "topic", "partition", "offset"}, time in ms.
alter table rule_states add column opened jsonb;
grant select, insert on alert_transitions to tidewatch_evaluator;
grant select on alert_transitions to tidewatch_api;
