-- An investigation that somebody asked for does not wait behind those that alerts began.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

drop index investigations_next;
create index investigations_next
  on investigations (organization_id, (trigger = 'alert'), (severity is distinct from 'critical'), created_at, id)
  where status in ('queued', 'running');
