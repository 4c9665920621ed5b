-- A row is looked up by its key as if by any index of a list that ends in the same columns, and of indexes that cost the
-- planner the same it takes the youngest. On a table that nobody has analysed yet, which is one that grows in a storm, all cost the
-- same: each alert that changed, and each foreign key, was found by reading the list of a whole organization. So the keys are the
-- youngest.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table alert_transitions drop constraint alert_transitions_org_id_alert_id_fkey;
alter table alerts drop constraint alerts_pkey, add primary key (org_id, id);
alter table alert_transitions add foreign key (org_id, alert_id) references alerts (org_id, id) on delete cascade;

alter table notification_alerts drop constraint notification_alerts_org_id_notification_id_fkey;
alter table notifications drop constraint notifications_pkey, add primary key (org_id, id);
alter table notification_alerts
  add foreign key (org_id, notification_id) references notifications (org_id, id) on delete cascade;
