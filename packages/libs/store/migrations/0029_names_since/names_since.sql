-- A process of the API keeps the names of an organization in memory. Rows say which transaction listed them, so that those which came since
-- its snapshot are found; what left the list shows in the counters. Older rows count as listed before all that follow.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table service_names add column listed_in bigint not null default 0;
alter table service_names alter column listed_in set default (pg_current_xact_id()::text)::bigint;
create index service_names_by_transaction on service_names (organization_id, listed_in);
