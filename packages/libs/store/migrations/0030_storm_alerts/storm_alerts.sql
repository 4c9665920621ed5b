-- How many alerts of other hosts an investigation stands for: of a rule that fires on many hosts at once, the first hosts are investigated.
-- Those alerts name it by their `investigation_id`; `investigation_alerts` has the alerts of its own host.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table investigations add column storm_alerts integer not null default 0;
