-- The metrics of a block's sixteen slots move into its row: a row and two index entries for each metric of a new host
-- cost more than its samples. An element's place is its slot; '' is a slot that nothing ever got
-- (the driver cannot tell a null in an array from the text NULL).
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table blocks add column metrics text[] collate "C" not null default '{}';
update blocks b set metrics = m.metrics
from (
  select last.org_id, last.block_id, array_agg(coalesce(s.metric, '') order by place.slot) as metrics
  from (select org_id, block_id, max(slot) as slot from metric_slots group by 1, 2) last
  cross join lateral generate_series(0, last.slot) as place (slot)
  left join metric_slots s on s.org_id = last.org_id and s.block_id = last.block_id and s.slot = place.slot
  group by 1, 2
) m
where b.org_id = m.org_id and b.id = m.block_id;
alter table blocks add constraint blocks_metrics_check check (cardinality(metrics) <= 16);
drop table metric_slots;

-- A service has its live values from the transaction on that creates it; those that were never flushed get a row.
insert into service_live (org_id, service_id, last_seen)
  select s.org_id, s.id, s.first_seen from services s
  where s.deleted_at is null
    and not exists (select from service_live l where l.org_id = s.org_id and l.service_id = s.id);
