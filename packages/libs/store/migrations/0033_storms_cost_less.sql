-- What a storm of alerts had paid for again and again: planning of what counts them, and looks through long queues.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- The triggers that count what lists hold had put their statements together anew each time, and most of what they took was the
-- planning. Written out they are planned once for each connection; a statement that changes no count ends there.

-- The counters that an alert belongs to, as alert_counts describes them.
create function alert_count_keys(rule_id text, fired_at timestamptz, id text)
returns table (tier text, bucket timestamptz, part text) language sql immutable parallel safe as $$
  values ('rule', timestamptz '-infinity', rule_id),
    ('1d', date_bin('1 day', fired_at, timestamptz 'epoch'), ''),
    ('1h', date_bin('1 hour', fired_at, timestamptz 'epoch'), ''),
    ('1m', date_bin('1 minute', fired_at, timestamptz 'epoch'), ''),
    ('id', fired_at, left(id, 15))
$$;

revoke all on function alert_count_keys(text, timestamptz, text) from public;

create or replace function count_alerts() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into alert_count_changes
      select r.org_id, k.tier, k.bucket, k.part, r.status, r.severity, r.acknowledged_at is not null, count(*)
      from new_rows r cross join lateral alert_count_keys(r.rule_id, r.fired_at, r.id) k
      where not r.shadow group by 1, 2, 3, 4, 5, 6, 7;
  elsif tg_op = 'DELETE' then
    insert into alert_count_changes
      select r.org_id, k.tier, k.bucket, k.part, r.status, r.severity, r.acknowledged_at is not null, -count(*)
      from old_rows r cross join lateral alert_count_keys(r.rule_id, r.fired_at, r.id) k
      where not r.shadow group by 1, 2, 3, 4, 5, 6, 7;
  else
    -- Most updates change values only.
    insert into alert_count_changes
      select e.org_id, k.tier, k.bucket, k.part, e.status, e.severity, e.acknowledged, sum(e.n)
      from (
        select org_id, rule_id, fired_at, left(id, 15) as id_start, status, severity,
          acknowledged_at is not null as acknowledged, sum(n) as n
        from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
        where not shadow group by 1, 2, 3, 4, 5, 6, 7 having sum(n) <> 0
      ) e
      cross join lateral alert_count_keys(e.rule_id, e.fired_at, e.id_start) k
      group by 1, 2, 3, 4, 5, 6, 7 having sum(e.n) <> 0;
  end if;
  -- Others may have left what they changed while somebody else was adding up.
  if not found and not exists (select from alert_count_changes) then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 2) then
    with taken as (delete from alert_count_changes returning *)
    merge into alert_counts as c
    using (
      select org_id, tier, bucket, part, status, severity, acknowledged, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
    ) t
    on (c.org_id, c.tier, c.bucket, c.part, c.status, c.severity, c.acknowledged)
      = (t.org_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.org_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged, t.count);
  end if;
  return null;
end $$;

create or replace function count_services() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into service_counts
      select org_id, case when archived_at is null then status else 'archived' end, count(*)
      from new_rows where deleted_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into service_counts
      select org_id, case when archived_at is null then status else 'archived' end, -count(*)
      from old_rows where deleted_at is null group by 1, 2;
  else
    insert into service_counts
      select org_id, case when archived_at is null then status else 'archived' end, sum(n)
      from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
      where deleted_at is null group by 1, 2 having sum(n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed'
    and (select count(*) from service_counts) > 100 and pg_try_advisory_xact_lock(8230, 3) then
    with taken as (delete from service_counts returning *)
    insert into service_counts select org_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $$;

create or replace function count_metrics() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into metric_count_changes
      select r.org_id, m.name, count(*)
      from new_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into metric_count_changes
      select r.org_id, m.name, -count(*)
      from old_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  else
    insert into metric_count_changes
      select c.org_id, m.name, sum(c.n)
      from (select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r) c
      cross join lateral unnest(c.metrics) as m (name)
      where c.listed and c.subject_kind = 'host' and m.name <> ''
      group by 1, 2 having sum(c.n) <> 0;
  end if;
  if found and current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 5) then
    with taken as (delete from metric_count_changes returning *)
    merge into metric_counts as c
    using (
      select org_id, metric, sum(services)::bigint as services from taken group by 1, 2 having sum(services) <> 0
    ) t
    on (c.org_id, c.metric) = (t.org_id, t.metric)
    when matched and c.services + t.services = 0 then delete
    when matched then update set services = c.services + t.services
    when not matched then insert values (t.org_id, t.metric, t.services);
  end if;
  return null;
end $$;

-- Each service counts under all its tags, so what did not change is left out before its tags are spread.
create or replace function count_service_tags() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into service_tag_count_changes
      select r.org_id, t.key, t.value, r.status, count(*)
      from new_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into service_tag_count_changes
      select r.org_id, t.key, t.value, r.status, -count(*)
      from old_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  else
    insert into service_tag_count_changes
      select e.org_id, t.key, t.value, e.status, sum(e.n)
      from (
        select org_id, status, tags, sum(n) as n
        from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
        where deleted_at is null and archived_at is null group by 1, 2, 3 having sum(n) <> 0
      ) e
      cross join lateral jsonb_each_text(e.tags) t
      group by 1, 2, 3, 4 having sum(e.n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 4) then
    with taken as (delete from service_tag_count_changes returning *)
    merge into service_tag_counts as c
    using (
      select org_id, name, value, status, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4 having sum(count) <> 0
    ) t
    on (c.org_id, c.name, c.value, c.status) = (t.org_id, t.name, t.value, t.status)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.org_id, t.name, t.value, t.status, t.count);
  end if;
  return null;
end $$;

-- A plan that was made for few rows stays when thousands change at once, and the other way round. Versions: without a hash each
-- row would be compared with all.
alter function keep_alert_versions() set enable_nestloop = off;
alter function keep_service_versions() set enable_nestloop = off;
-- Counts: what changes is looked up by the key, however few there are yet, or all would be read for each.
do $$
declare
  counting text;
  unwanted text;
begin
  foreach counting in array array['count_alerts', 'count_service_tags', 'count_metrics'] loop
    foreach unwanted in array array['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'] loop
      execute format('alter function %I() set %I = off', counting, unwanted);
    end loop;
  end loop;
end $$;

-- Ten thousand investigations may wait, and the next is asked for after each.
create index investigations_next on investigations ((severity is distinct from 'critical'), created_at, id)
  where status in ('queued', 'running');
-- Hosts drawn at random, which stay the same: a few are compared with in each investigation.
create index service_names_drawn on service_names (org_id, md5(id));
