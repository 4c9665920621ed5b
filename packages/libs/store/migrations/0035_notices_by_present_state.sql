-- Whether an alert is notified follows from its state now, for each channel by itself. This is what that state needs.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- When a fresh sample confirmed the breach of an alert that began with an old one.
alter table alerts add column confirmed_at timestamptz;

-- Flaps count for the severity that the alert had, and for milder ones.
alter table flaps add column severities text[] not null default '{}', add column flapping_severity text;
update flaps set severities = array_fill('warning'::text, array[cardinality(times)]),
  flapping_severity = case when flapping then 'warning' end;
alter table flaps drop column flapping, alter column severities drop default;
alter table flapping_streams add column severity text not null default 'warning';
alter table flapping_streams alter column severity drop default;

-- How severe an alert was in a notice; null in records of older versions.
alter table notification_alerts add column severity text;

-- Every reason why a channel was not notified that may pass, `changed` where a rule or a channel was changed since; and the
-- event by which that is being made good, until it is planned.
alter table alert_tellings alter column withheld type text[] using case when withheld is not null then array[withheld] end;
alter table alert_tellings add column made_good_by text;

-- What went on without a notice before is looked at once.
insert into alert_tellings as t (org_id, alert_id, rule_id, withheld)
select org_id, id, rule_id, '{changed}' from alerts where status = 'active' and not shadow
on conflict (org_id, alert_id) do update set withheld = coalesce(t.withheld, '{}') || '{changed}';

grant select on silences, revisions, services to tidewatch_notifier;
select isolate_organizations();
