-- The counter of event numbers is no position in a topic: who makes the product forget a topic must not reset it.
set local role tidewatch_owner;
set local search_path = tidewatch, public;
update consumer_offsets set topic = 'outbox' where consumer = 'outbox-relay';
