-- Gives a new database the layout of samples that the program chooses. Where there is an organization the database may have rows, and
-- processes that write them, so it keeps its layout.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

update storage_backend set sample_layout = current_setting('tidewatch.sample_layout')
  where not exists (select from organizations);
