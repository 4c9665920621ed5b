-- Investigations, what they cite, markers and changed tags. The investigator gets a role of its own.
do $$
begin
  begin
    create role tidewatch_investigator nologin;
  exception when duplicate_object or unique_violation then null;
  end;
end $$;

set local role tidewatch_owner;
set local search_path = tidewatch;

-- An investigation of one service. Findings, analysis, timeline, recommendations, usage and feedback are kept as the API
-- spells them. `claimed_by` is the process that runs it, until `claimed_until` unless it claims it again.
create table investigations (
  org_id text not null references organizations (id),
  id text not null,
  created_at timestamptz not null,
  -- {"key_id", "name"}; null where an alert began it.
  created_by jsonb,
  trigger text not null check (trigger in ('alert', 'request')),
  alert_id text,
  service_id text not null,
  host text not null collate "C",
  metric text,
  question text,
  severity text,
  title text not null,
  window_from timestamptz not null,
  window_to timestamptz not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  claimed_by text,
  claimed_until timestamptz,
  attempts smallint not null default 0,
  started_at timestamptz,
  completed_at timestamptz,
  conclusion text check (conclusion in ('root_cause_found', 'inconclusive')),
  confidence text check (confidence in ('high', 'medium', 'low')),
  findings jsonb not null default '[]',
  analysis jsonb,
  timeline jsonb not null default '[]',
  recommendations jsonb not null default '[]',
  usage jsonb,
  feedback jsonb,
  -- Why it failed, in words.
  failure text,
  facts_digest bytea,
  updated_at timestamptz not null,
  primary key (org_id, id)
) with (fillfactor = 80);
create index investigations_listed on investigations (org_id, created_at desc, id desc);
create index investigations_by_service on investigations (org_id, service_id, created_at desc, id desc);
create index investigations_queued on investigations (status, created_at) where status in ('queued', 'running');
create index investigations_settled on investigations (created_at) where status not in ('queued', 'running');

-- A result that was frozen: `stats` and `points` as the API spells them, a piece for each source.
create table investigation_evidence (
  org_id text not null,
  investigation_id text not null,
  id text not null,
  ref text not null,
  query text not null,
  window_from timestamptz not null,
  window_to timestamptz not null,
  stats jsonb not null,
  points jsonb not null,
  primary key (org_id, investigation_id, id),
  foreign key (org_id, investigation_id) references investigations (org_id, id) on delete cascade
);

-- The alerts that an investigation is about: the one that began it, and those that joined.
create table investigation_alerts (
  org_id text not null,
  investigation_id text not null,
  alert_id text not null,
  primary key (org_id, investigation_id, alert_id),
  foreign key (org_id, investigation_id) references investigations (org_id, id) on delete cascade
);
create index investigation_alerts_by_alert on investigation_alerts (org_id, alert_id);

-- Something that people or their tools did, told by them.
create table markers (
  org_id text not null references organizations (id),
  id text not null,
  title text not null,
  at timestamptz not null,
  selector jsonb not null,
  tags jsonb not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  primary key (org_id, id)
);
create index markers_listed on markers (org_id, at desc, id desc);
create index markers_by_time on markers (at);

-- Tags of a service that became others, by the time of the payload that carried them.
create table tag_changes (
  org_id text not null,
  service_id text not null,
  at timestamptz not null,
  before jsonb not null,
  after jsonb not null,
  primary key (org_id, service_id, at)
);
create index tag_changes_listed on tag_changes (org_id, at);
create index tag_changes_by_time on tag_changes (at);

-- Changes within a minute of the last one are one change, so that a tag which never stands still does not fill the table.
create function keep_tag_change() returns trigger
language plpgsql security definer set search_path = tidewatch, pg_temp as $$
begin
  update tag_changes c set after = new.tags
  where c.org_id = new.org_id and c.service_id = new.id
    and c.at > new.tags_at - interval '1 minute' and c.at <= new.tags_at;
  if not found then
    insert into tag_changes (org_id, service_id, at, before, after)
      values (new.org_id, new.id, new.tags_at, old.tags, new.tags);
  end if;
  return null;
end $$;
-- The first tags of a service are no change.
create trigger services_tag_changes_kept after update of tags on services for each row
  when (old.tags_at is not null and new.tags_at is not null and old.tags is distinct from new.tags)
  execute function keep_tag_change();
revoke all on function keep_tag_change() from public;

-- What models were asked, by the hour and apart for what is kept in reserve; millionths of the currency that prices are in.
create table investigation_spend (
  org_id text not null,
  hour timestamptz not null,
  severity_class text not null,
  calls integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (org_id, hour, severity_class)
) with (fillfactor = 60);
create index investigation_spend_by_hour on investigation_spend (hour);

grant usage on schema tidewatch to tidewatch_investigator;
grant select, insert, update on investigations, investigation_spend to tidewatch_investigator;
grant select, insert, update, delete on investigation_evidence to tidewatch_investigator;
grant select, insert on investigation_alerts to tidewatch_investigator;
grant select on markers, tag_changes to tidewatch_investigator;
grant select on services, service_live, service_names, service_tags, blocks, block_latest, samples, samples_backfill,
  rollup_1m, rollup_1h, rollup_1d, dirty_buckets, snapshots, alerts, alert_transitions, alert_rules, rule_states, silences,
  store_edition to tidewatch_investigator;
grant update (investigation_id, updated_at) on alerts to tidewatch_investigator;
grant select on bus_topics, outbox, revisions to tidewatch_investigator;
grant insert on outbox, bus_topics to tidewatch_investigator;
grant select, insert, update on consumer_offsets, leases to tidewatch_investigator;
do $$
begin
  if to_regclass('tidewatch.rollup_progress') is not null then
    grant select on rollup_progress, late_buckets to tidewatch_investigator;
  end if;
end $$;

grant select on investigations, investigation_evidence, investigation_alerts, markers to tidewatch_api;
grant insert on investigations, investigation_alerts to tidewatch_api;
grant update (status, claimed_by, claimed_until, completed_at, feedback, updated_at) on investigations to tidewatch_api;
grant insert, delete on markers to tidewatch_api;
grant select, delete on investigations, markers, tag_changes, investigation_spend to tidewatch_writer;
select isolate_organizations();
