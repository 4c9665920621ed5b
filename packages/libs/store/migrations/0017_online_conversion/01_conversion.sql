-- Whether the database changes from rows to a log: in the layout 'rows' writers also write the log, and readers read rows; in the
-- layout 'log' the rows still exist for transactions that began before.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table storage_backend add column is_converting boolean not null default false;
