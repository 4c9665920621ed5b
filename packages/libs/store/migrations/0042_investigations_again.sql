-- An investigation is run again when an alert joins it that its last run did not see, and once when enough history is known.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table investigations
  -- When it is run again for alerts that joined.
  add column again_at timestamptz,
  -- When enough will be known for a run that had too little history, and whether that run was made.
  add column history_at timestamptz,
  add column history_redone boolean not null default false,
  -- Runs after the first that came to its end.
  add column reruns smallint not null default 0;
create index investigations_again on investigations (least(again_at, history_at))
  where again_at is not null or history_at is not null;
