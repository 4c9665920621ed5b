-- What a storm of alerts asks for again and again.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- Which hosts are offline, asked for with every event of an alert: without it, all alerts that a host ever had are read.
create index alerts_offline on alerts (org_id, service_id) where status = 'active' and metric = 'host.silent_minutes';

-- An active alert's value moves with its samples. Where its page has room for the new row, none of the indexes changes.
alter table alerts set (fillfactor = 50);

-- Newest first is read backwards. Alerts come in order of time, and only a growing index is filled to its pages' end and
-- split at its last one: one that grows downwards is split in halves, with a copy of a half in the log each time.
drop index alerts_by_time, alerts_by_status, alerts_by_severity, alerts_by_rule, alerts_by_service, alerts_by_host,
  alerts_acknowledged, alerts_shadow;
create index alerts_by_time on alerts (org_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_status on alerts (org_id, status, fired_at, id) include (severity, acknowledged_at, shadow);
create index alerts_by_severity on alerts (org_id, severity, fired_at, id) include (status, acknowledged_at, shadow);
create index alerts_by_rule on alerts (org_id, rule_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_service on alerts (org_id, service_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_host on alerts (org_id, host, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_acknowledged on alerts (org_id, fired_at, id) include (status, severity, shadow)
  where acknowledged_at is not null;
create index alerts_shadow on alerts (org_id, fired_at, id) include (status, severity) where shadow;
