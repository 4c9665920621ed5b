-- The notices by which channels learned that something flaps: nobody else is spared what comes after them.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table flapping_streams add column notices jsonb not null default '[]';
