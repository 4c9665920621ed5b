-- The relay publishes events of organizations in turn where more wait than it takes at once.
set local role tidewatch_owner;
set local search_path = tidewatch;

create index outbox_unpublished_by_organization on outbox (org_id, id) where sequence is null;
