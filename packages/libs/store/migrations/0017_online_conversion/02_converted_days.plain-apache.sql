-- Days of which the conversion that runs has written everything that stands in rows.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table closed_days add column is_converted boolean not null default false;
