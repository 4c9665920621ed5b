-- Deliveries take turns: notifications of a channel go by priority, and destinations that never answered count apart.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- 0 critical, 1 warning, 2 info, 3 events that a webhook subscribes to.
alter table notifications add column priority smallint not null default 1 check (priority between 0 and 3);
update notifications set priority = case when transition = 'event' then 3 else
    case coalesce(event #>> '{data,alert,severity}', event #>> '{data,alerts,0,severity}')
      when 'critical' then 0 when 'info' then 2 else 1 end end
  where status = 'queued';
create index notifications_by_turn on notifications (org_id, channel, priority, next_attempt_at, id) where status = 'queued';
drop index notifications_queued;

-- When the destination answered last; null until it has.
alter table destination_paces add column answered_at timestamptz;
update destination_paces set answered_at = refilled_at where failures = 0;
grant update (answered_at) on destination_paces to tidewatch_api;
