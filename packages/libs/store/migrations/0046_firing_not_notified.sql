-- The reason of a resolution whose firing the channel was not notified of has another name.
set local role tidewatch_owner;
set local search_path = tidewatch;

update notifications set reason = 'firing_not_notified' where reason = 'firing_not_told';
