-- Up to when each partition of samples has been judged, so that answers can say what is behind.
set local role tidewatch_owner;
set local search_path = tidewatch;

create table pipeline_clocks (
  partition integer primary key,
  -- Of how many: another number spreads hosts anew.
  partitions integer not null,
  complete_until timestamptz not null
) with (fillfactor = 50);
grant select, insert, update, delete on pipeline_clocks to tidewatch_evaluator;
grant select on pipeline_clocks to tidewatch_api;
