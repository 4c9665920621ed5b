-- The alerts of a crowded minute are counted in runs, so that a far offset in it is reached over counts and not over rows. Counters of
-- single times and ids, which nearly every alert had for itself, are no longer kept.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- Tier 'run': the alerts of a minute from a time and the beginning of an id (bucket, part) until the next run begins. Only minutes that
-- had more than 4,000 alerts have runs. What comes before the first of them belongs to a run that begins with the minute. Tier 'id' is
-- in alert_count_changes alone, by fired_at and the beginning of the id: it says which run a change belongs to.
delete from alert_counts where tier = 'id';
alter table alert_counts drop constraint alert_counts_tier_check;
alter table alert_counts add constraint alert_counts_tier_check check (tier in ('rule', '1d', '1h', '1m', 'run'));

-- Divides a run, or a minute without runs (of_tier '1m'), into runs of some 2,000 alerts. What is not added up yet is left out of the
-- alerts. If they are not as many as were counted, the statement that runs changes alerts more than once: a later one divides.
create function divide_alerts(organization text, of_tier text, starts timestamptz, starts_part text) returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  minute_end constant timestamptz := date_bin('1 minute', starts, timestamptz 'epoch') + interval '1 minute';
  ends timestamptz;
  ends_part text;
  runs alert_count_changes[];
begin
  select bucket, part into ends, ends_part from alert_counts
    where organization_id = organization and tier = 'run' and (bucket, part) > (starts, starts_part) and bucket < minute_end
    order by bucket, part limit 1;
  if not found then
    ends := minute_end;
    ends_part := '';
  end if;
  with counted as (
    select fired_at as bucket, left(id, 15) as part, status, severity, acknowledged_at is not null as acknowledged, 1 as count
    from alerts
    where organization_id = organization and not shadow
      and (fired_at, id) >= (starts, starts_part) and (fired_at, id) < (ends, ends_part)
    union all
    select bucket, part, status, severity, acknowledged, -count from alert_count_changes
    where organization_id = organization and tier = 'id'
      and (bucket, part) >= (starts, starts_part) and (bucket, part) < (ends, ends_part)
  ), numbered as (
    select c.*, (sum(c.count) over (order by c.bucket, c.part) - 1)::bigint / 2000 as number from counted c
  ), placed as (
    select case number when 0 then starts else first_value(n.bucket) over run end as bucket,
      case number when 0 then starts_part else first_value(n.part) over run end as part,
      n.status, n.severity, n.acknowledged, n.count
    from numbered n window run as (partition by n.number order by n.bucket, n.part)
  ), summed as (
    select organization, 'run', bucket, part, status, severity, acknowledged, sum(count)::bigint
    from placed group by 3, 4, 5, 6, 7 having sum(count) <> 0
  )
  select array_agg(row(s.*)::alert_count_changes) into runs from summed s;
  if exists (
    select from (
      select status, severity, acknowledged, count from unnest(runs)
      union all
      select status, severity, acknowledged, -count from alert_counts
      where organization_id = organization and tier = of_tier and bucket = starts and part = starts_part
    ) c
    group by status, severity, acknowledged having sum(count) <> 0
  ) then
    return;
  end if;
  delete from alert_counts where organization_id = organization and tier = 'run' and bucket = starts and part = starts_part;
  insert into alert_counts select * from unnest(runs);
end $$;

-- Adds the changes of a crowded minute to its runs, and divides those that have become long.
create function count_alert_runs(organization text, minute timestamptz, changes alert_count_changes[]) returns void
language plpgsql set search_path = tidewatch, pg_temp as $$
declare
  runs alert_count_changes[];
  run record;
begin
  if not exists (
    select from alert_counts
    where organization_id = organization and tier = 'run' and bucket >= minute and bucket < minute + interval '1 minute'
  ) then
    perform divide_alerts(organization, '1m', minute, '');
    return;
  end if;
  select array_agg(row(s.*)::alert_count_changes) into runs from (
    select organization, 'run', coalesce(r.bucket, minute), coalesce(r.part, ''), m.status, m.severity, m.acknowledged, sum(m.count)::bigint
    from (
      select c.bucket, c.part, array_agg(c) as moved from unnest(changes) c
      where c.organization_id = organization and c.tier = 'id' and c.bucket >= minute and c.bucket < minute + interval '1 minute'
      group by 1, 2
    ) k
    left join lateral (
      select c.bucket, c.part from alert_counts c
      where c.organization_id = organization and c.tier = 'run' and c.bucket >= minute and (c.bucket, c.part) <= (k.bucket, k.part)
      order by c.bucket desc, c.part desc limit 1
    ) r on true
    cross join lateral unnest(k.moved) m
    group by 3, 4, 5, 6, 7 having sum(m.count) <> 0
  ) s;
  merge into alert_counts as c
  using unnest(runs) t
  on (c.organization_id, c.tier, c.bucket, c.part, c.status, c.severity, c.acknowledged)
    = (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged)
  when matched and c.count + t.count = 0 then delete
  when matched then update set count = c.count + t.count
  when not matched then insert values (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged, t.count);
  for run in
    select distinct t.bucket, t.part from unnest(runs) t
    where t.count > 0 and (
      select sum(c.count) from alert_counts c
      where c.organization_id = organization and c.tier = 'run' and c.bucket = t.bucket and c.part = t.part) > 4000
  loop
    perform divide_alerts(organization, 'run', run.bucket, run.part);
  end loop;
end $$;

create or replace function count_alerts() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  changes alert_count_changes[];
  crowded record;
begin
  if tg_op = 'INSERT' then
    insert into alert_count_changes
      select r.organization_id, k.tier, k.bucket, k.part, r.status, r.severity, r.acknowledged_at is not null, count(*)
      from new_rows r cross join lateral alert_count_keys(r.rule_id, r.fired_at, r.id) k
      where not r.shadow group by 1, 2, 3, 4, 5, 6, 7;
  elsif tg_op = 'DELETE' then
    insert into alert_count_changes
      select r.organization_id, k.tier, k.bucket, k.part, r.status, r.severity, r.acknowledged_at is not null, -count(*)
      from old_rows r cross join lateral alert_count_keys(r.rule_id, r.fired_at, r.id) k
      where not r.shadow group by 1, 2, 3, 4, 5, 6, 7;
  else
    -- Most updates change values only.
    insert into alert_count_changes
      select e.organization_id, k.tier, k.bucket, k.part, e.status, e.severity, e.acknowledged, sum(e.n)
      from (
        select organization_id, rule_id, fired_at, left(id, 15) as id_start, status, severity,
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
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(8230, 2) then
    return null;
  end if;
  with taken as (delete from alert_count_changes returning *)
  select array_agg(row(s.*)::alert_count_changes) into changes from (
    select organization_id, tier, bucket, part, status, severity, acknowledged, sum(count)::bigint as count
    from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
  ) s;
  merge into alert_counts as c
  using (select * from unnest(changes) where tier <> 'id') t
  on (c.organization_id, c.tier, c.bucket, c.part, c.status, c.severity, c.acknowledged)
    = (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged)
  when matched and c.count + t.count = 0 then delete
  when matched then update set count = c.count + t.count
  when not matched then insert values (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged, t.count);
  for crowded in
    select m.organization_id, m.minute from (
      select distinct organization_id, date_bin('1 minute', bucket, timestamptz 'epoch') as minute
      from unnest(changes) where tier = 'id'
    ) m
    where (
      select sum(c.count) from alert_counts c
      where c.organization_id = m.organization_id and c.tier = '1m' and c.bucket = m.minute
    ) > 4000 or exists (
      select from alert_counts c
      where c.organization_id = m.organization_id and c.tier = 'run'
        and c.bucket >= m.minute and c.bucket < m.minute + interval '1 minute')
  loop
    perform count_alert_runs(crowded.organization_id, crowded.minute, changes);
  end loop;
  return null;
end $$;
revoke all on function divide_alerts(text, text, timestamptz, text), count_alert_runs(text, timestamptz, alert_count_changes[]) from public;

do $$
declare
  crowded record;
begin
  for crowded in select organization_id, bucket from alert_counts where tier = '1m' group by 1, 2 having sum(count) > 4000 loop
    perform divide_alerts(crowded.organization_id, '1m', crowded.bucket, '');
  end loop;
end $$;
