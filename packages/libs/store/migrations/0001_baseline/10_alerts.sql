-- Alerts with their transitions and versions, and what lists of them are counted by.

-- An active alert's value changes with its samples. Where its page has room for the new row, none of the indexes changes.
create table alerts (
  organization_id text not null,
  id text not null,
  rule_id text not null,
  rule_name text not null,
  rule_version integer not null,
  service_id text not null,
  host text not null collate "C",
  subject_kind text not null,
  subject_name text not null,
  status text not null,
  state text not null,
  severity text not null,
  metric text not null,
  condition text not null,
  threshold double precision,
  threshold_max double precision,
  value double precision,
  value_at_fire double precision,
  peak_value double precision,
  summary text not null,
  pending_since timestamptz,
  fired_at timestamptz not null,
  resolved_at timestamptz,
  resolution text,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  silenced_by text,
  flap_count integer not null default 0,
  backfilled boolean not null default false,
  shadow boolean not null default false,
  no_data boolean not null default false,
  context jsonb not null,
  comments jsonb not null default '[]',
  investigation_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The end of the window of the silence in which it fired.
  silenced_until timestamptz,
  -- When a fresh sample confirmed the breach of an alert that began with an old one.
  confirmed_at timestamptz
) with (fillfactor = 50);
-- Lists page and count over these alone: the table itself is read only for the rows of a page. Newest first is read backwards:
-- alerts come in order of time, and only a growing index is filled to the end of its pages and split at its last one.
create index alerts_by_time on alerts (organization_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_status on alerts (organization_id, status, fired_at, id) include (severity, acknowledged_at, shadow);
create index alerts_by_severity on alerts (organization_id, severity, fired_at, id) include (status, acknowledged_at, shadow);
create index alerts_by_rule on alerts (organization_id, rule_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_service on alerts (organization_id, service_id, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_by_host on alerts (organization_id, host, fired_at, id) include (status, severity, acknowledged_at, shadow);
create index alerts_acknowledged on alerts (organization_id, fired_at, id) include (status, severity, shadow)
  where acknowledged_at is not null;
create index alerts_shadow on alerts (organization_id, fired_at, id) include (status, severity) where shadow;
create index alerts_by_creation on alerts (organization_id, created_at, id);
create index alerts_silenced on alerts (organization_id, silenced_by, silenced_until) where status = 'active' and silenced_by is not null;
-- Which hosts are offline, asked with every event of an alert: without it, all alerts that a host ever had would be read.
create index alerts_offline on alerts (organization_id, service_id) where status = 'active' and metric = 'host.silent_minutes';
-- Alerts by backfilled samples may have fired long before they were stored. Loading a service asks for those that were stored
-- lately and have ended.
create index alerts_backfilled_ended on alerts (organization_id, service_id, created_at) where backfilled and status = 'resolved';
-- A row can be looked up by its key or by an index of a list that ends in the same columns. Of indexes that cost the same, as all do
-- on a table that was never analyzed, the planner takes the youngest: so the key comes after the lists.
alter table alerts add primary key (organization_id, id);
grant select, delete on alerts to tidewatch_writer;
grant select, insert, update, delete on alerts to tidewatch_evaluator;
grant select on alerts to tidewatch_notifier, tidewatch_investigator;
grant update (investigation_id, updated_at) on alerts to tidewatch_investigator;
grant select, insert, update on alerts to tidewatch_api;

-- The evidence of each transition: which sample caused it, its position in the log, and when it was received and evaluated.
create table alert_transitions (
  organization_id text not null,
  alert_id text not null,
  number bigint generated always as identity,
  from_state text not null,
  to_state text not null,
  reason text not null,
  -- Time of the sample, or of what stands for it.
  at timestamptz not null,
  value double precision,
  -- Null where it was not a sample, or where no log is kept.
  topic text,
  partition integer,
  log_offset bigint,
  received_at timestamptz,
  published_at timestamptz,
  consumed_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, alert_id, number),
  foreign key (organization_id, alert_id) references alerts (organization_id, id) on delete cascade
);
grant select, insert on alert_transitions to tidewatch_evaluator, tidewatch_api;
grant select on alert_transitions to tidewatch_investigator;

-- What an alert was until a time, of all that changes while it is active. The first version that lasted beyond a time is what it
-- was then; where there is none, it has not changed since.
create table alert_versions (
  organization_id text not null,
  alert_id text not null,
  number bigint generated always as identity,
  until timestamptz not null,
  status text not null,
  state text not null,
  severity text not null,
  rule_version integer not null,
  condition text not null,
  threshold double precision,
  threshold_max double precision,
  value double precision,
  peak_value double precision,
  flap_count integer not null,
  resolved_at timestamptz,
  resolution text,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  silenced_by text,
  comments jsonb not null,
  investigation_id text,
  updated_at timestamptz not null,
  primary key (organization_id, alert_id, number)
);
create index alert_versions_by_time on alert_versions (organization_id, until);
grant select, delete on alert_versions to tidewatch_writer;
grant select on alert_versions to tidewatch_api;

-- As for versions of services, a plan without a hash would compare each row with all.
create function keep_alert_versions() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp set enable_nestloop = off as $$
begin
  insert into alert_versions (organization_id, alert_id, until, status, state, severity, rule_version, condition, threshold,
    threshold_max, value, peak_value, flap_count, resolved_at, resolution, acknowledged_at, acknowledged_by, silenced_by,
    comments, investigation_id, updated_at)
  select o.organization_id, o.id, case when n.updated_at > o.updated_at then n.updated_at else clock_timestamp() end,
    o.status, o.state, o.severity, o.rule_version, o.condition, o.threshold, o.threshold_max, o.value, o.peak_value,
    o.flap_count, o.resolved_at, o.resolution, o.acknowledged_at, o.acknowledged_by, o.silenced_by, o.comments,
    o.investigation_id, o.updated_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  -- Values between two transitions are written often, and are not worth a version.
  where (o.status, o.state, o.severity, o.rule_version, o.acknowledged_at, o.silenced_by, o.comments, o.investigation_id)
    is distinct from
    (n.status, n.state, n.severity, n.rule_version, n.acknowledged_at, n.silenced_by, n.comments, n.investigation_id);
  return null;
end $$;
create trigger alert_versions_kept after update on alerts
  referencing old table as old_rows new table as new_rows for each statement execute function keep_alert_versions();
revoke all on function keep_alert_versions() from public;

-- How many alerts there are, shadow alerts left out. Tier 'rule': by rule (part) over all time (bucket '-infinity').
-- Tiers '1d', '1h' and '1m': by fired_at (part ''). Tier 'id': by fired_at itself and the beginning of the id (part), which alerts
-- share that were made within sixteen milliseconds; with it an offset in a list is reached over counts and not over rows.
-- A count of zero has no row.
create table alert_counts (
  organization_id text not null,
  tier text not null check (tier in ('rule', '1d', '1h', '1m', 'id')),
  bucket timestamptz not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null,
  primary key (organization_id, tier, bucket, part, status, severity, acknowledged)
) with (fillfactor = 70);
-- What is yet to be added to alert_counts. Writers only append to it, so that none waits for another's commit.
create table alert_count_changes (
  organization_id text not null,
  tier text not null,
  bucket timestamptz not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
-- The counts as of the reader's snapshot; several rows of one key are to be summed.
create view alert_tallies with (security_invoker = true) as
  select organization_id, tier, bucket, part, status, severity, acknowledged, count from alert_counts
  union all
  select organization_id, tier, bucket, part, status, severity, acknowledged, count from alert_count_changes;
grant select on alert_counts, alert_count_changes, alert_tallies to tidewatch_api;

-- The counters that an alert belongs to, as alert_counts describes them.
create function alert_count_keys(rule_id text, fired_at timestamptz, id text)
returns table (tier text, bucket timestamptz, part text) language sql immutable parallel safe as $$
  values ('rule', timestamptz '-infinity', rule_id),
    ('1d', date_bin('1 day', fired_at, timestamptz 'epoch'), ''),
    ('1h', date_bin('1 hour', fired_at, timestamptz 'epoch'), ''),
    ('1m', date_bin('1 minute', fired_at, timestamptz 'epoch'), ''),
    ('id', fired_at, left(id, 15))
$$;

-- Appends what a statement changed. The transaction that gets the lock adds up the committed changes; others do not wait.
create function count_alerts() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
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
  if current_setting('transaction_isolation') = 'read committed' and pg_try_advisory_xact_lock(8230, 2) then
    with taken as (delete from alert_count_changes returning *)
    merge into alert_counts as c
    using (
      select organization_id, tier, bucket, part, status, severity, acknowledged, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
    ) t
    on (c.organization_id, c.tier, c.bucket, c.part, c.status, c.severity, c.acknowledged)
      = (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.organization_id, t.tier, t.bucket, t.part, t.status, t.severity, t.acknowledged, t.count);
  end if;
  return null;
end $$;
create trigger alerts_counted_insert after insert on alerts
  referencing new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_update after update on alerts
  referencing old table as old_rows new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_delete after delete on alerts
  referencing old table as old_rows for each statement execute function count_alerts();
revoke all on function alert_count_keys(text, timestamptz, text), count_alerts() from public;
