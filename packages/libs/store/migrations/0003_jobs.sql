-- Leases of the writer's jobs are given back at a clean stop.
set local role tidewatch_owner;
set local search_path = tidewatch;

grant delete on leases to tidewatch_writer;

-- What was judged last may lie in samples that were older than raw retention when they came.
grant select on samples_backfill to tidewatch_evaluator;
