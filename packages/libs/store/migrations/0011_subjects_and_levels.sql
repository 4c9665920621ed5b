-- States of containers, processes and derived values, of rules with several thresholds, and without a value.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table rule_states
  -- A pair that fired because its metric stayed away has none.
  alter column value drop not null,
  alter column peak_value drop not null,
  -- What the rule judged when this was written, so that an edit of metric or transform is seen later; null in older rows.
  add column stream text,
  -- Of a rule with several thresholds: {"critical": {"state", "pendingSince", "clearSince"}, ...}, times in ms.
  add column levels jsonb,
  -- In how many payloads in a row the container or process was missing.
  add column missed smallint not null default 0;

create index alerts_shadow on alerts (org_id, fired_at desc, id desc) include (status, severity) where shadow;
