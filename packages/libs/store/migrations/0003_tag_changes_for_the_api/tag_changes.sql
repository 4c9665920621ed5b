-- The query API answers what changed about a host, tags among it.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

grant select on tag_changes to tidewatch_api;
