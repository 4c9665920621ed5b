-- Whoever changes a channel ends what its failures had led to.
set local role tidewatch_owner;
set local search_path = tidewatch;

grant select, update (failures, open_until, paused_until) on destination_paces to tidewatch_api;
