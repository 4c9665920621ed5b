-- A table returns space at its end only, by a vacuum that finds nothing there. With a threshold the last rows that a seal
-- deleted stayed unvacuumed, and kept every page before them. Now each round of autovacuum takes what was sealed since.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table sample_log set (autovacuum_vacuum_threshold = 0, toast.autovacuum_vacuum_threshold = 0);
alter table snapshot_log set (autovacuum_vacuum_threshold = 0, toast.autovacuum_vacuum_threshold = 0);
