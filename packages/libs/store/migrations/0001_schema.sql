-- The first schema. Runs as a role that may create roles; every object belongs to tidewatch_owner,
-- and the product connects as members of the group roles below, which own nothing.

-- Roles belong to the cluster, so a second database finds them there already.
do $$
declare
  name text;
begin
  foreach name in array array['tidewatch_owner', 'tidewatch_writer', 'tidewatch_evaluator', 'tidewatch_api'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
  if not (select rolsuper from pg_roles where rolname = current_user)
    and not pg_has_role(current_user, 'tidewatch_owner', 'member') then
    execute format('grant tidewatch_owner to %I', current_user);
  end if;
end $$;

create schema tidewatch authorization tidewatch_owner;
set local role tidewatch_owner;
set local search_path = tidewatch;

-- The directory: organizations and keys. Never joined with what lies below it.
create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table api_keys (
  org_id text not null references organizations (id),
  id text not null,
  name text not null,
  prefix text not null,
  secret_sha256 bytea not null unique,
  scopes text[] not null,
  rate_limit_per_minute integer,
  hosts text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, id)
);

-- Counters that tell readers of a cached table that it changed: 'rules', 'services'.
create table revisions (
  name text primary key,
  revision bigint not null default 0
);
insert into revisions (name) values ('rules'), ('services');

-- Services. `id` is public; deleted services keep their row, so a host may have several, one of them alive.
create table services (
  org_id text not null references organizations (id),
  id text not null,
  host text not null collate "C",
  tags jsonb not null default '{}',
  tags_at timestamptz,
  first_seen timestamptz not null,
  status text not null default 'healthy',
  status_reasons jsonb not null default '[]',
  status_since timestamptz not null,
  active_critical integer not null default 0,
  active_warning integer not null default 0,
  active_info integer not null default 0,
  archived_at timestamptz,
  deleted_at timestamptz,
  primary key (org_id, id)
);
create unique index services_by_host on services (org_id, host) where deleted_at is null;
create index services_deleted_by_host on services (org_id, host, deleted_at) where deleted_at is not null;
create index services_deleted_by_time on services (deleted_at) where deleted_at is not null;
create index services_listed on services (org_id, host, id) include (status) where deleted_at is null and archived_at is null;
create index services_by_status on services (org_id, status, host) where deleted_at is null;
create index services_by_tag on services using gin (tags jsonb_path_ops) where deleted_at is null;

-- What changes with every payload, flushed at most twice a second; apart from services to keep those rows still.
create table service_live (
  org_id text not null,
  service_id text not null,
  last_seen timestamptz not null,
  last_sample_at timestamptz,
  interval_seconds double precision,
  clock_offset_seconds double precision,
  clock_skew_seconds double precision,
  cpu_percent double precision,
  memory_percent double precision,
  disk_percent double precision,
  primary key (org_id, service_id)
) with (fillfactor = 60);

-- A block is sixteen slots of one subject of one service. Block ids are handed out only by this table.
create table blocks (
  org_id text not null,
  id integer generated always as identity,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  ordinal smallint not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, service_id, subject_kind, subject_name, ordinal)
);
create unique index blocks_by_id on blocks (id);

create table metric_slots (
  org_id text not null,
  block_id integer not null,
  slot smallint not null check (slot between 0 and 15),
  metric text not null collate "C",
  primary key (org_id, block_id, slot),
  unique (org_id, block_id, metric)
);

-- Latest value of each slot, by sample time; flushed at most twice a second, arrays of sixteen.
create table block_latest (
  block_id integer primary key,
  applied_at timestamptz not null,
  times timestamptz[] not null,
  vals double precision[] not null
) with (fillfactor = 60);

create table samples (
  "time" timestamptz not null,
  block_id integer not null,
  v0 double precision,
  v1 double precision,
  v2 double precision,
  v3 double precision,
  v4 double precision,
  v5 double precision,
  v6 double precision,
  v7 double precision,
  v8 double precision,
  v9 double precision,
  v10 double precision,
  v11 double precision,
  v12 double precision,
  v13 double precision,
  v14 double precision,
  v15 double precision
) partition by range ("time");
create unique index samples_key on samples (block_id, "time");

create table samples_backfill (
  "time" timestamptz not null,
  block_id integer not null,
  v0 double precision,
  v1 double precision,
  v2 double precision,
  v3 double precision,
  v4 double precision,
  v5 double precision,
  v6 double precision,
  v7 double precision,
  v8 double precision,
  v9 double precision,
  v10 double precision,
  v11 double precision,
  v12 double precision,
  v13 double precision,
  v14 double precision,
  v15 double precision
) partition by range ("time");
create unique index samples_backfill_key on samples_backfill (block_id, "time");

create table rollup_1m (
  bucket timestamptz not null,
  block_id integer not null,
  sum0 double precision, cnt0 integer, min0 double precision, max0 double precision,
  sum1 double precision, cnt1 integer, min1 double precision, max1 double precision,
  sum2 double precision, cnt2 integer, min2 double precision, max2 double precision,
  sum3 double precision, cnt3 integer, min3 double precision, max3 double precision,
  sum4 double precision, cnt4 integer, min4 double precision, max4 double precision,
  sum5 double precision, cnt5 integer, min5 double precision, max5 double precision,
  sum6 double precision, cnt6 integer, min6 double precision, max6 double precision,
  sum7 double precision, cnt7 integer, min7 double precision, max7 double precision,
  sum8 double precision, cnt8 integer, min8 double precision, max8 double precision,
  sum9 double precision, cnt9 integer, min9 double precision, max9 double precision,
  sum10 double precision, cnt10 integer, min10 double precision, max10 double precision,
  sum11 double precision, cnt11 integer, min11 double precision, max11 double precision,
  sum12 double precision, cnt12 integer, min12 double precision, max12 double precision,
  sum13 double precision, cnt13 integer, min13 double precision, max13 double precision,
  sum14 double precision, cnt14 integer, min14 double precision, max14 double precision,
  sum15 double precision, cnt15 integer, min15 double precision, max15 double precision
) partition by range (bucket);
create unique index rollup_1m_key on rollup_1m (block_id, bucket);

create table rollup_1h (
  bucket timestamptz not null,
  block_id integer not null,
  sum0 double precision, cnt0 integer, min0 double precision, max0 double precision,
  sum1 double precision, cnt1 integer, min1 double precision, max1 double precision,
  sum2 double precision, cnt2 integer, min2 double precision, max2 double precision,
  sum3 double precision, cnt3 integer, min3 double precision, max3 double precision,
  sum4 double precision, cnt4 integer, min4 double precision, max4 double precision,
  sum5 double precision, cnt5 integer, min5 double precision, max5 double precision,
  sum6 double precision, cnt6 integer, min6 double precision, max6 double precision,
  sum7 double precision, cnt7 integer, min7 double precision, max7 double precision,
  sum8 double precision, cnt8 integer, min8 double precision, max8 double precision,
  sum9 double precision, cnt9 integer, min9 double precision, max9 double precision,
  sum10 double precision, cnt10 integer, min10 double precision, max10 double precision,
  sum11 double precision, cnt11 integer, min11 double precision, max11 double precision,
  sum12 double precision, cnt12 integer, min12 double precision, max12 double precision,
  sum13 double precision, cnt13 integer, min13 double precision, max13 double precision,
  sum14 double precision, cnt14 integer, min14 double precision, max14 double precision,
  sum15 double precision, cnt15 integer, min15 double precision, max15 double precision
) partition by range (bucket);
create unique index rollup_1h_key on rollup_1h (block_id, bucket);

create table rollup_1d (
  bucket timestamptz not null,
  block_id integer not null,
  sum0 double precision, cnt0 integer, min0 double precision, max0 double precision,
  sum1 double precision, cnt1 integer, min1 double precision, max1 double precision,
  sum2 double precision, cnt2 integer, min2 double precision, max2 double precision,
  sum3 double precision, cnt3 integer, min3 double precision, max3 double precision,
  sum4 double precision, cnt4 integer, min4 double precision, max4 double precision,
  sum5 double precision, cnt5 integer, min5 double precision, max5 double precision,
  sum6 double precision, cnt6 integer, min6 double precision, max6 double precision,
  sum7 double precision, cnt7 integer, min7 double precision, max7 double precision,
  sum8 double precision, cnt8 integer, min8 double precision, max8 double precision,
  sum9 double precision, cnt9 integer, min9 double precision, max9 double precision,
  sum10 double precision, cnt10 integer, min10 double precision, max10 double precision,
  sum11 double precision, cnt11 integer, min11 double precision, max11 double precision,
  sum12 double precision, cnt12 integer, min12 double precision, max12 double precision,
  sum13 double precision, cnt13 integer, min13 double precision, max13 double precision,
  sum14 double precision, cnt14 integer, min14 double precision, max14 double precision,
  sum15 double precision, cnt15 integer, min15 double precision, max15 double precision
) partition by range (bucket);
create unique index rollup_1d_key on rollup_1d (block_id, bucket);

-- Buckets whose rollup row is stale: read from the next finer tier until the drain has recomputed them.
create table dirty_buckets (
  tier text not null check (tier in ('1m', '1h', '1d')),
  block_id integer not null,
  bucket timestamptz not null,
  marked_at timestamptz not null default now(),
  primary key (tier, block_id, bucket)
);

-- Snapshots as they were sent: containers with their texts, processes. One row for each payload that carries either.
create table snapshots (
  "time" timestamptz not null,
  org_id text not null,
  service_id text not null,
  containers jsonb,
  processes jsonb
) partition by range ("time");
create unique index snapshots_key on snapshots (org_id, service_id, "time");
-- A host without containers must not have its whole history searched for them.
create index snapshots_with_containers on snapshots (org_id, service_id, "time") where containers is not null;

create table alert_rules (
  org_id text not null references organizations (id),
  id text not null,
  name text not null,
  enabled boolean not null,
  metric text not null,
  severity text not null,
  definition jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (org_id, id)
);
create index alert_rules_alive on alert_rules (org_id, created_at, id) where deleted_at is null;

create table rule_activity (
  org_id text not null,
  rule_id text not null,
  last_evaluated_at timestamptz,
  pending_count integer not null default 0,
  firing_count integer not null default 0,
  primary key (org_id, rule_id)
) with (fillfactor = 60);

-- State of every (rule, service, subject) that is not inactive.
create table rule_states (
  org_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null collate "C",
  state text not null,
  pending_since timestamptz not null,
  clear_since timestamptz,
  judged_at timestamptz not null,
  value double precision not null,
  peak_value double precision not null,
  flap_count integer not null default 0,
  alert_id text,
  primary key (org_id, rule_id, service_id, subject_kind, subject_name)
) with (fillfactor = 60);
create index rule_states_by_service on rule_states (org_id, service_id);

create table alerts (
  org_id text not null,
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
  primary key (org_id, id)
) with (fillfactor = 80);
-- Lists page and count over these alone: the table itself is read only for the rows of a page.
create index alerts_by_time on alerts (org_id, fired_at desc, id desc) include (status, severity, acknowledged_at, shadow);
create index alerts_by_status on alerts (org_id, status, fired_at desc, id desc) include (severity, acknowledged_at, shadow);
create index alerts_by_severity on alerts (org_id, severity, fired_at desc, id desc) include (status, acknowledged_at, shadow);
create index alerts_by_rule on alerts (org_id, rule_id, fired_at desc, id desc) include (status, severity, acknowledged_at, shadow);
create index alerts_by_service on alerts (org_id, service_id, fired_at desc, id desc) include (status, severity, acknowledged_at, shadow);
create index alerts_by_host on alerts (org_id, host, fired_at desc, id desc) include (status, severity, acknowledged_at, shadow);

-- How many alerts there are, so that an exact total of a hundred thousand costs one row.
create table alert_counts (
  org_id text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  shadow boolean not null,
  count bigint not null,
  primary key (org_id, status, severity, acknowledged, shadow)
) with (fillfactor = 50);

-- Events that were decided but not yet published, in commit order by the relay.
create table outbox (
  id bigint generated always as identity primary key,
  org_id text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  sequence bigint unique,
  published_at timestamptz
);
create index outbox_unpublished on outbox (id) where sequence is null;

-- Where each consumer stands in each partition, changed by compare-and-swap.
create table consumer_offsets (
  consumer text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  epoch bigint not null,
  primary key (consumer, topic, partition)
);

-- Jobs that one process at a time may run.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);

create function count_alerts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into alert_counts as c
      select org_id, status, severity, acknowledged_at is not null, shadow, -count(*)
      from old_rows group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (org_id, status, severity, acknowledged, shadow) do update set count = c.count + excluded.count;
  end if;
  if tg_op <> 'DELETE' then
    insert into alert_counts as c
      select org_id, status, severity, acknowledged_at is not null, shadow, count(*)
      from new_rows group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (org_id, status, severity, acknowledged, shadow) do update set count = c.count + excluded.count;
  end if;
  return null;
end $$;
create trigger alerts_counted_insert after insert on alerts
  referencing new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_update after update on alerts
  referencing old table as old_rows new table as new_rows for each statement execute function count_alerts();
create trigger alerts_counted_delete after delete on alerts
  referencing old table as old_rows for each statement execute function count_alerts();

-- Partitions and retention need ownership, which the product's roles lack: these functions are all they may do.
-- Each partition is named <table>_<yyyymmdd> after the UTC day of its lower bound.
create function ensure_partition(parent text, lower_bound timestamptz, upper_bound timestamptz) returns boolean
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  child text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a partitioned table of the product: %', parent;
  end if;
  if to_regclass('tidewatch.' || child) is not null then
    return false;
  end if;
  -- Attaching what was created apart locks readers and writers of the parent less than "partition of" does.
  execute format('create table %I (like %I)', child, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, lower_bound, upper_bound);
  return true;
exception when duplicate_table or unique_violation then
  return false;
end $$;

-- Drops the partitions of `parent` that end at or before `before`; answers their names.
create function drop_partitions(parent text, before timestamptz) returns setof text
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
declare
  child record;
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a partitioned table of the product: %', parent;
  end if;
  for child in
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ('tidewatch.' || parent)::regclass
      and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz <= before
    order by 1
  loop
    execute format('drop table %I', child.name);
    return next child.name;
  end loop;
end $$;
revoke all on function ensure_partition(text, timestamptz, timestamptz), drop_partitions(text, timestamptz) from public;

grant usage on schema tidewatch to tidewatch_writer, tidewatch_evaluator, tidewatch_api;
grant select on all tables in schema tidewatch to tidewatch_api;
grant insert, update on organizations, api_keys, alert_rules, alerts, services, revisions, outbox, rule_activity to tidewatch_api;

grant select, insert, update on services, service_live, blocks, metric_slots, block_latest, consumer_offsets, leases, revisions to tidewatch_writer;
grant select, insert, update, delete on samples, samples_backfill, rollup_1m, rollup_1h, rollup_1d, dirty_buckets, snapshots to tidewatch_writer;
grant delete on blocks, metric_slots, block_latest, service_live to tidewatch_writer;
grant execute on function ensure_partition(text, timestamptz, timestamptz), drop_partitions(text, timestamptz) to tidewatch_writer;

grant select on services, service_live, blocks, metric_slots, block_latest, samples, alert_rules, revisions, snapshots to tidewatch_evaluator;
grant insert, update on services, revisions to tidewatch_evaluator;
grant select, insert, update, delete on rule_states, rule_activity, alerts, outbox, consumer_offsets, leases to tidewatch_evaluator;
grant select, insert, update on alert_counts to tidewatch_evaluator, tidewatch_api;
grant delete on alerts to tidewatch_writer;
grant select on alerts, outbox, alert_counts to tidewatch_writer;
grant delete on outbox to tidewatch_writer;
grant insert, update on alert_counts to tidewatch_writer;

