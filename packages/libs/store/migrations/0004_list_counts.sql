-- What lists are chosen and counted by: counters that no writer waits for, and names and tags of services apart
-- from the rows whose health changes all the time.
set local role tidewatch_owner;
set local search_path = tidewatch;

lock table alerts, services in share row exclusive mode;
drop trigger alerts_counted_insert on alerts;
drop trigger alerts_counted_update on alerts;
drop trigger alerts_counted_delete on alerts;
drop function count_alerts();
drop table alert_counts;

-- How many alerts there are, shadow alerts left out: by rule over all time (tier 'rule', bucket '-infinity'), and by
-- fired_at (tiers '1d', '1h' and '1m', rule_id ''). A count of zero has no row.
create table alert_counts (
  org_id text not null,
  tier text not null check (tier in ('rule', '1d', '1h', '1m')),
  rule_id text not null,
  bucket timestamptz not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null,
  primary key (org_id, tier, rule_id, bucket, status, severity, acknowledged)
) with (fillfactor = 70);

-- What is yet to be added to alert_counts. Only ever appended to by writers, so that none waits for another's commit.
create table alert_count_changes (
  org_id text not null,
  tier text not null,
  rule_id text not null,
  bucket timestamptz not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- The counts as this snapshot has them; several rows of one key are to be summed.
create view alert_tallies as
  select org_id, tier, rule_id, bucket, status, severity, acknowledged, count from alert_counts
  union all
  select org_id, tier, rule_id, bucket, status, severity, acknowledged, count from alert_count_changes;

-- Appends what a statement changed. Then whoever gets the lock adds up what is committed; the others go on without.
create function count_alerts() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select 1 as n, r.* from new_rows r'
    when 'DELETE' then 'select -1 as n, r.* from old_rows r'
    else 'select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r' end;
begin
  execute format($query$
    insert into alert_count_changes
      select e.org_id, t.tier, t.rule_id, t.bucket, e.status, e.severity, e.acknowledged, sum(e.n)
      from (
        select org_id, rule_id, fired_at, status, severity, acknowledged_at is not null as acknowledged, sum(n) as n
        from (%s) c where not shadow group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0
      ) e
      cross join lateral (values
        ('rule', e.rule_id, timestamptz '-infinity'),
        ('1d', '', date_bin('1 day', e.fired_at, timestamptz 'epoch')),
        ('1h', '', date_bin('1 hour', e.fired_at, timestamptz 'epoch')),
        ('1m', '', date_bin('1 minute', e.fired_at, timestamptz 'epoch'))) t (tier, rule_id, bucket)
      group by 1, 2, 3, 4, 5, 6, 7 having sum(e.n) <> 0 $query$, changed);
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 2) then
    with taken as (delete from alert_count_changes returning *)
    merge into alert_counts as c
    using (
      select org_id, tier, rule_id, bucket, status, severity, acknowledged, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
    ) t
    on (c.org_id, c.tier, c.rule_id, c.bucket, c.status, c.severity, c.acknowledged)
      = (t.org_id, t.tier, t.rule_id, t.bucket, t.status, t.severity, t.acknowledged)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.org_id, t.tier, t.rule_id, t.bucket, t.status, t.severity, t.acknowledged, t.count);
  end if;
  return null;
end $$;
create trigger alerts_counted_insert after insert on alerts
  referencing new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_update after update on alerts
  referencing old table as old_rows new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_delete after delete on alerts
  referencing old table as old_rows for each statement execute function count_alerts();

insert into alert_counts
  select a.org_id, t.tier, t.rule_id, t.bucket, a.status, a.severity, a.acknowledged_at is not null, count(*)
  from alerts a
  cross join lateral (values
    ('rule', a.rule_id, timestamptz '-infinity'),
    ('1d', '', date_bin('1 day', a.fired_at, timestamptz 'epoch')),
    ('1h', '', date_bin('1 hour', a.fired_at, timestamptz 'epoch')),
    ('1m', '', date_bin('1 minute', a.fired_at, timestamptz 'epoch'))) t (tier, rule_id, bucket)
  where not a.shadow group by 1, 2, 3, 4, 5, 6, 7;

-- Acknowledged alerts may be few among very many.
create index alerts_acknowledged on alerts (org_id, fired_at desc, id desc) include (status, severity, shadow)
  where acknowledged_at is not null;

-- How many living services of each status there are; archived ones count as 'archived'. Several rows of one key are
-- to be summed: writers append, and whoever gets the lock adds up.
create table service_counts (
  org_id text not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

create function count_services() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select 1 as n, r.* from new_rows r'
    when 'DELETE' then 'select -1 as n, r.* from old_rows r'
    else 'select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r' end;
begin
  execute format($query$
    insert into service_counts
      select org_id, case when archived_at is null then status else 'archived' end, sum(n)
      from (%s) c where deleted_at is null group by 1, 2 having sum(n) <> 0 $query$, changed);
  if current_setting('transaction_isolation') = 'read committed'
    and (select count(*) from service_counts) > 100 and pg_try_advisory_xact_lock(8230, 3) then
    with taken as (delete from service_counts returning *)
    insert into service_counts select org_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger services_counted_insert after insert on services
  referencing new table as new_rows for each statement execute function count_services();
create trigger services_counted_update after update on services
  referencing old table as old_rows new table as new_rows for each statement execute function count_services();
create trigger services_counted_delete after delete on services
  referencing old table as old_rows for each statement execute function count_services();
insert into service_counts
  select org_id, case when archived_at is null then status else 'archived' end, count(*)
  from services where deleted_at is null group by 1, 2;

-- Names and tags of the services that are neither deleted nor archived. Their rows change seldom, so that a list finds
-- them in the index alone, however often the health of the services is written.
create table service_names (
  org_id text not null,
  host text not null collate "C",
  id text not null,
  -- Collation "C" folds ASCII only.
  folded text not null collate "C" generated always as (lower(host)) stored,
  primary key (org_id, host, id) include (folded)
) with (autovacuum_vacuum_insert_threshold = 200, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05);
create table service_tags (
  org_id text not null,
  name text not null collate "C",
  value text not null collate "C",
  host text not null collate "C",
  id text not null,
  primary key (org_id, name, value, host, id)
) with (autovacuum_vacuum_insert_threshold = 200, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.05);

create function list_service() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  was boolean := tg_op <> 'INSERT' and old.deleted_at is null and old.archived_at is null;
  stays boolean := tg_op <> 'DELETE' and new.deleted_at is null and new.archived_at is null;
  is_same boolean := was and stays and old.host = new.host;
  before jsonb := case when was then old.tags else '{}' end;
  after jsonb := case when stays then new.tags else '{}' end;
begin
  if was and not is_same then
    delete from service_names where org_id = old.org_id and host = old.host and id = old.id;
  end if;
  if stays and not is_same then
    insert into service_names (org_id, host, id) values (new.org_id, new.host, new.id);
  end if;
  if was then
    delete from service_tags t using jsonb_each_text(before) b
    where t.org_id = old.org_id and t.name = b.key and t.value = b.value and t.host = old.host and t.id = old.id
      and (not is_same or after ->> b.key is distinct from b.value);
  end if;
  if stays then
    insert into service_tags select new.org_id, a.key, a.value, new.host, new.id from jsonb_each_text(after) a
    where not is_same or before ->> a.key is distinct from a.value;
  end if;
  return null;
end $$;
create trigger services_listed_insert after insert on services for each row execute function list_service();
-- Not for updates of health, which set none of these columns.
create trigger services_listed_update after update of host, tags, archived_at, deleted_at on services for each row
  when ((old.host, old.tags, old.archived_at, old.deleted_at)
    is distinct from (new.host, new.tags, new.archived_at, new.deleted_at))
  execute function list_service();
create trigger services_listed_delete after delete on services for each row execute function list_service();
insert into service_names (org_id, host, id)
  select org_id, host, id from services where deleted_at is null and archived_at is null;
insert into service_tags
  select s.org_id, t.key, t.value, s.host, s.id from services s cross join lateral jsonb_each_text(s.tags) t
  where s.deleted_at is null and s.archived_at is null;

-- The fewer indexes hold what changes, the more updates stay on their page.
drop index services_listed, services_by_tag, services_by_status;
create index services_by_status on services (org_id, status, host, id) where deleted_at is null and archived_at is null;
create index services_archived on services (org_id, host, id) where deleted_at is null and archived_at is not null;
alter table services set (fillfactor = 80);

revoke all on function count_alerts(), count_services(), list_service() from public;
grant select on alert_tallies, service_counts, service_names, service_tags to tidewatch_api;
