-- Since when a partition has been told of as behind; null while it is not.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table pipeline_clocks add column delayed_since timestamptz;
grant select on organizations to tidewatch_evaluator;
