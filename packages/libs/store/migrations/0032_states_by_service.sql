-- States are judged, stored and read service by service, so that is how their key is ordered: what is stored at once lies
-- together in it, and it serves the reading too. Ordered by rule, every row of a storm went to a place of its own, and pages were
-- split in halves, with a copy of a half in the log each time.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table rule_states drop constraint rule_states_pkey;
drop index rule_states_by_service;
create index rule_states_by_rule on rule_states (org_id, rule_id);
alter table rule_states add primary key (org_id, service_id, rule_id, subject_kind, subject_name);

-- Every state of a page can be stored anew once without a change of an index.
alter table rule_states set (fillfactor = 50);
