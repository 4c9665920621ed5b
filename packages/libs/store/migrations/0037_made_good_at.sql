-- An event that makes something good and does not arrive within ten minutes, as after the loss of a log, is made again.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table alert_tellings add column made_good_at timestamptz;
update alert_tellings set made_good_at = now() where made_good_by is not null;
