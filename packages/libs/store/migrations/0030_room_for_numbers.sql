-- An event is numbered once, soon after it was written. Where its page has room for the numbered row, the log holds only
-- what differs, and a recovery reads half as much of a storm.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table outbox set (fillfactor = 50);
