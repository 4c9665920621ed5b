-- Investigations, what they cite and cost, and markers.

-- An investigation of one service. Findings, analysis, timeline, recommendations, usage and feedback are kept as the API spells
-- them. `claimed_by` is the process that runs it, until `claimed_until` unless it renews the claim.
create table investigations (
  organization_id text not null references organizations (id),
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
  -- When it is run again for alerts that joined.
  again_at timestamptz,
  -- When enough will be known for a run that had too little history, and whether that run was made.
  history_at timestamptz,
  history_redone boolean not null default false,
  -- Runs after the first that came to its end.
  reruns smallint not null default 0,
  primary key (organization_id, id)
) with (fillfactor = 80);
create index investigations_listed on investigations (organization_id, created_at desc, id desc);
create index investigations_by_service on investigations (organization_id, service_id, created_at desc, id desc);
create index investigations_queued on investigations (status, created_at) where status in ('queued', 'running');
create index investigations_settled on investigations (created_at) where status not in ('queued', 'running');
-- Organizations take turns: which of them wait, and when each was last begun, are found without reading all that wait.
create index investigations_next on investigations (organization_id, (severity is distinct from 'critical'), created_at, id)
  where status in ('queued', 'running');
create index investigations_begun on investigations (organization_id, started_at desc) where started_at is not null;
create index investigations_again on investigations (least(again_at, history_at))
  where again_at is not null or history_at is not null;
grant select, delete on investigations to tidewatch_writer;
grant select, insert, update on investigations to tidewatch_investigator;
grant select, insert, update (status, claimed_by, claimed_until, completed_at, feedback, updated_at) on investigations
  to tidewatch_api;

-- A copy of the data from which a number was computed: `stats` and `points` as the API spells them, one entry for each source.
create table investigation_evidence (
  organization_id text not null,
  investigation_id text not null,
  id text not null,
  ref text not null,
  query text not null,
  window_from timestamptz not null,
  window_to timestamptz not null,
  stats jsonb not null,
  points jsonb not null,
  primary key (organization_id, investigation_id, id),
  foreign key (organization_id, investigation_id) references investigations (organization_id, id) on delete cascade
);
grant select, insert, update, delete on investigation_evidence to tidewatch_investigator;
grant select on investigation_evidence to tidewatch_api;

-- The alerts that an investigation is about: the one that began it, and those that joined.
create table investigation_alerts (
  organization_id text not null,
  investigation_id text not null,
  alert_id text not null,
  primary key (organization_id, investigation_id, alert_id),
  foreign key (organization_id, investigation_id) references investigations (organization_id, id) on delete cascade
);
create index investigation_alerts_by_alert on investigation_alerts (organization_id, alert_id);
grant select, insert on investigation_alerts to tidewatch_investigator, tidewatch_api;

-- What language models were asked, by the hour and apart for what is kept in reserve; costs in millionths of the currency of prices.
create table investigation_spend (
  organization_id text not null,
  hour timestamptz not null,
  severity_class text not null,
  calls integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (organization_id, hour, severity_class)
) with (fillfactor = 60);
create index investigation_spend_by_hour on investigation_spend (hour);
grant select, insert, update on investigation_spend to tidewatch_investigator;
grant select, delete on investigation_spend to tidewatch_writer;

-- Notes that something was done at a time, such as a deployment.
create table markers (
  organization_id text not null references organizations (id),
  id text not null,
  title text not null,
  at timestamptz not null,
  selector jsonb not null,
  tags jsonb not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  primary key (organization_id, id)
);
create index markers_listed on markers (organization_id, at desc, id desc);
create index markers_by_time on markers (at);
grant select, delete on markers to tidewatch_writer;
grant select on markers to tidewatch_investigator;
grant select, insert, delete on markers to tidewatch_api;
