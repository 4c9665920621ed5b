-- Where in the list of alerts a row stands: alerts that fired at the very same moment are counted by the beginning of
-- their ids, too, so that an offset is reached over counts and not over rows.
set local role tidewatch_owner;
set local search_path = tidewatch;

lock table alerts in share row exclusive mode;
drop view alert_tallies;
drop table alert_count_changes;
drop table alert_counts;

-- How many alerts there are, shadow alerts left out. Tier 'rule': by rule (part) over all time (bucket '-infinity').
-- Tiers '1d', '1h' and '1m': by fired_at (part ''). Tier 'id': by fired_at itself and the beginning of the id (part),
-- which those share that were made within sixteen milliseconds. A count of zero has no row.
create table alert_counts (
  org_id text not null,
  tier text not null check (tier in ('rule', '1d', '1h', '1m', 'id')),
  bucket timestamptz not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null,
  primary key (org_id, tier, bucket, part, status, severity, acknowledged)
) with (fillfactor = 70);

-- What is yet to be added to alert_counts. Only ever appended to by writers, so that none waits for another's commit.
create table alert_count_changes (
  org_id text not null,
  tier text not null,
  bucket timestamptz not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- The counts as this snapshot has them; several rows of one key are to be summed.
create view alert_tallies as
  select org_id, tier, bucket, part, status, severity, acknowledged, count from alert_counts
  union all
  select org_id, tier, bucket, part, status, severity, acknowledged, count from alert_count_changes;

-- Appends what a statement changed. Then whoever gets the lock adds up what is committed; the others go on without.
create or replace function count_alerts() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select 1 as n, r.* from new_rows r'
    when 'DELETE' then 'select -1 as n, r.* from old_rows r'
    else 'select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r' end;
begin
  execute format($query$
    insert into alert_count_changes
      select e.org_id, t.tier, t.bucket, t.part, e.status, e.severity, e.acknowledged, sum(e.n)
      from (
        select org_id, rule_id, fired_at, left(id, 15) as id_start, status, severity,
          acknowledged_at is not null as acknowledged, sum(n) as n
        from (%s) c where not shadow group by 1, 2, 3, 4, 5, 6, 7 having sum(n) <> 0
      ) e
      cross join lateral (values
        ('rule', timestamptz '-infinity', e.rule_id),
        ('1d', date_bin('1 day', e.fired_at, timestamptz 'epoch'), ''),
        ('1h', date_bin('1 hour', e.fired_at, timestamptz 'epoch'), ''),
        ('1m', date_bin('1 minute', e.fired_at, timestamptz 'epoch'), ''),
        ('id', e.fired_at, e.id_start)) t (tier, bucket, part)
      group by 1, 2, 3, 4, 5, 6, 7 having sum(e.n) <> 0 $query$, changed);
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

insert into alert_counts
  select a.org_id, t.tier, t.bucket, t.part, a.status, a.severity, a.acknowledged_at is not null, count(*)
  from alerts a
  cross join lateral (values
    ('rule', timestamptz '-infinity', a.rule_id),
    ('1d', date_bin('1 day', a.fired_at, timestamptz 'epoch'), ''),
    ('1h', date_bin('1 hour', a.fired_at, timestamptz 'epoch'), ''),
    ('1m', date_bin('1 minute', a.fired_at, timestamptz 'epoch'), ''),
    ('id', a.fired_at, left(a.id, 15))) t (tier, bucket, part)
  where not a.shadow group by 1, 2, 3, 4, 5, 6, 7;

grant select on alert_tallies to tidewatch_api;
