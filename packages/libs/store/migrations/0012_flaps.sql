-- When each (rule, service, subject) flapped last, so that a restart does not forget it.
set local role tidewatch_owner;
set local search_path = tidewatch;

create table flaps (
  org_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  times timestamptz[] not null,
  flapping boolean not null,
  last_at timestamptz not null,
  primary key (org_id, rule_id, service_id, subject_kind, subject_name)
);
create index flaps_by_service on flaps (org_id, service_id);
create index flaps_by_time on flaps (last_at);
grant select, insert, update, delete on flaps to tidewatch_evaluator;
grant select on flaps to tidewatch_api;
