-- Organizations take turns at being investigated: which of them wait, and when each was last begun, are found without reading
-- what waits in all.
set local role tidewatch_owner;
set local search_path = tidewatch;

drop index investigations_next;
create index investigations_next on investigations (org_id, (severity is distinct from 'critical'), created_at, id)
  where status in ('queued', 'running');
create index investigations_begun on investigations (org_id, started_at desc) where started_at is not null;
