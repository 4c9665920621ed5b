-- Alerts by backfilled samples may have fired long before they were stored. Loading a service asks for those that were
-- stored lately and have ended: few alerts are of that kind, so the index stays small.
set local role tidewatch_owner;
set local search_path = tidewatch;

create index alerts_backfilled_ended on alerts (org_id, service_id, created_at) where backfilled and status = 'resolved';
