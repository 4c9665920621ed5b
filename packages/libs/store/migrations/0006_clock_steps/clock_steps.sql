-- Hosts whose clock was set back, until their samples have reached the time before the step again. Written together with what
-- their samples caused, so that a restart knows which stored samples and flaps are from before the step.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create table clock_steps (
  organization_id text not null,
  service_id text not null,
  -- The newest sample time that was evaluated before the step, by the clock before it.
  newest_before timestamptz not null,
  -- The newest sample time that was evaluated since, by the present clock.
  evaluated_until timestamptz not null,
  -- By how many ms earlier times of the host were moved; below 0.
  moved_by_ms double precision not null,
  primary key (organization_id, service_id)
);
grant select, insert, update, delete on clock_steps to tidewatch_evaluator;
select isolate_organizations();
