-- A rule's name in the system that manages it stands for one rule of the organization.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- Nothing held them apart so far: of rules that share one the oldest keeps it.
update alert_rules r
set definition = r.definition || '{"external_id": null}', version = r.version + 1, updated_at = now()
from (
  select org_id, id,
    row_number() over (partition by org_id, definition ->> 'external_id' order by created_at, id) as place
  from alert_rules where deleted_at is null and definition ->> 'external_id' is not null
) s
where s.org_id = r.org_id and s.id = r.id and s.place > 1;

update revisions set revision = revision + 1 where name = 'rules';

alter table alert_rules add column external_id text generated always as (definition ->> 'external_id') stored;
create unique index alert_rules_external_id on alert_rules (org_id, external_id)
  where deleted_at is null and external_id is not null;
