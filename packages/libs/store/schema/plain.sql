-- What the migrations make with the storage backend plain, as PostgreSQL 18 words it. Written by a test.

create schema tidewatch authorization tidewatch_owner;
grant usage on schema tidewatch to tidewatch_api;
grant usage on schema tidewatch to tidewatch_evaluator;
grant usage on schema tidewatch to tidewatch_investigator;
grant usage on schema tidewatch to tidewatch_notifier;
grant usage on schema tidewatch to tidewatch_reader;
grant usage on schema tidewatch to tidewatch_writer;

create table alert_count_changes (
  organization_id text not null,
  tier text not null,
  bucket timestamp with time zone not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table alert_count_changes owner to tidewatch_owner;
alter table alert_count_changes enable row level security;
create policy organization on alert_count_changes to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on alert_count_changes to tidewatch_api;

create table alert_counts (
  organization_id text not null,
  tier text not null,
  bucket timestamp with time zone not null,
  part text not null,
  status text not null,
  severity text not null,
  acknowledged boolean not null,
  count bigint not null,
  constraint alert_counts_pkey PRIMARY KEY (organization_id, tier, bucket, part, status, severity, acknowledged),
  constraint alert_counts_tier_check CHECK (tier = ANY (ARRAY['rule'::text, '1d'::text, '1h'::text, '1m'::text, 'run'::text]))
) with (fillfactor=70);
alter table alert_counts owner to tidewatch_owner;
alter table alert_counts enable row level security;
create policy organization on alert_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on alert_counts to tidewatch_api;

create table alert_notices (
  organization_id text not null,
  alert_id text not null,
  rule_id text not null,
  notified_at timestamp with time zone,
  withheld text[],
  made_good_by text,
  made_good_at timestamp with time zone,
  constraint alert_notices_pkey PRIMARY KEY (organization_id, alert_id)
) with (fillfactor=60);
alter table alert_notices owner to tidewatch_owner;
CREATE INDEX alert_notices_due ON tidewatch.alert_notices USING btree (organization_id, rule_id, notified_at) WHERE (notified_at IS NOT NULL);
CREATE INDEX alert_notices_withheld ON tidewatch.alert_notices USING btree (organization_id, alert_id) WHERE (withheld IS NOT NULL);
alter table alert_notices enable row level security;
create policy organization on alert_notices to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on alert_notices to tidewatch_notifier using (true);
grant delete, insert, select, update on alert_notices to tidewatch_notifier;

create table alert_rules (
  organization_id text not null,
  id text not null,
  name text not null,
  enabled boolean not null,
  metric text not null,
  severity text not null,
  definition jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  external_id text generated always as ((definition ->> 'external_id'::text)) stored,
  constraint alert_rules_pkey PRIMARY KEY (organization_id, id),
  constraint alert_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table alert_rules owner to tidewatch_owner;
CREATE INDEX alert_rules_alive ON tidewatch.alert_rules USING btree (organization_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX alert_rules_external_id ON tidewatch.alert_rules USING btree (organization_id, external_id) WHERE ((deleted_at IS NULL) AND (external_id IS NOT NULL));
alter table alert_rules enable row level security;
create policy organization on alert_rules to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on alert_rules to tidewatch_evaluator using (true);
create policy tidewatch_investigator on alert_rules to tidewatch_investigator using (true);
create policy tidewatch_notifier on alert_rules to tidewatch_notifier using (true);
grant insert, select, update on alert_rules to tidewatch_api;
grant select on alert_rules to tidewatch_evaluator;
grant select on alert_rules to tidewatch_investigator;
grant select on alert_rules to tidewatch_notifier;

create view alert_tallies with (security_invoker=true) as
 SELECT alert_counts.organization_id,
    alert_counts.tier,
    alert_counts.bucket,
    alert_counts.part,
    alert_counts.status,
    alert_counts.severity,
    alert_counts.acknowledged,
    alert_counts.count
   FROM alert_counts
UNION ALL
 SELECT alert_count_changes.organization_id,
    alert_count_changes.tier,
    alert_count_changes.bucket,
    alert_count_changes.part,
    alert_count_changes.status,
    alert_count_changes.severity,
    alert_count_changes.acknowledged,
    alert_count_changes.count
   FROM alert_count_changes;
alter view alert_tallies owner to tidewatch_owner;
grant select on alert_tallies to tidewatch_api;

create table alert_transitions (
  organization_id text not null,
  alert_id text not null,
  number bigint not null generated always as identity,
  from_state text not null,
  to_state text not null,
  reason text not null,
  at timestamp with time zone not null,
  value double precision,
  topic text,
  partition integer,
  log_offset bigint,
  received_at timestamp with time zone,
  published_at timestamp with time zone,
  consumed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint alert_transitions_pkey PRIMARY KEY (organization_id, alert_id, number),
  constraint alert_transitions_organization_id_alert_id_fkey FOREIGN KEY (organization_id, alert_id) REFERENCES alerts(organization_id, id) ON DELETE CASCADE
);
alter table alert_transitions owner to tidewatch_owner;
alter table alert_transitions enable row level security;
create policy organization on alert_transitions to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on alert_transitions to tidewatch_evaluator using (true);
create policy tidewatch_investigator on alert_transitions to tidewatch_investigator using (true);
grant insert, select on alert_transitions to tidewatch_api;
grant insert, select on alert_transitions to tidewatch_evaluator;
grant select on alert_transitions to tidewatch_investigator;

create table alert_versions (
  organization_id text not null,
  alert_id text not null,
  number bigint not null generated always as identity,
  until timestamp with time zone not null,
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
  resolved_at timestamp with time zone,
  resolution text,
  acknowledged_at timestamp with time zone,
  acknowledged_by jsonb,
  silenced_by text,
  comments jsonb not null,
  investigation_id text,
  updated_at timestamp with time zone not null,
  created_at timestamp with time zone,
  span smallint,
  constraint alert_versions_pkey PRIMARY KEY (organization_id, alert_id, number)
);
alter table alert_versions owner to tidewatch_owner;
CREATE INDEX alert_versions_by_span ON tidewatch.alert_versions USING btree (organization_id, span, until);
alter table alert_versions enable row level security;
create policy organization on alert_versions to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_writer on alert_versions to tidewatch_writer using (true);
grant select on alert_versions to tidewatch_api;
grant delete, select on alert_versions to tidewatch_writer;

create table alerts (
  organization_id text not null,
  id text not null,
  rule_id text not null,
  rule_name text not null,
  rule_version integer not null,
  service_id text not null,
  host text collate "C" not null,
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
  pending_since timestamp with time zone,
  fired_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolution text,
  acknowledged_at timestamp with time zone,
  acknowledged_by jsonb,
  silenced_by text,
  flap_count integer not null default 0,
  backfilled boolean not null default false,
  shadow boolean not null default false,
  no_data boolean not null default false,
  context jsonb not null,
  comments jsonb not null default '[]'::jsonb,
  investigation_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  silenced_until timestamp with time zone,
  confirmed_at timestamp with time zone
) with (fillfactor=50);
alter table alerts owner to tidewatch_owner;
CREATE INDEX alerts_acknowledged ON tidewatch.alerts USING btree (organization_id, fired_at, id) INCLUDE (status, severity, shadow) WHERE (acknowledged_at IS NOT NULL);
CREATE INDEX alerts_backfilled_ended ON tidewatch.alerts USING btree (organization_id, service_id, created_at) WHERE (backfilled AND (status = 'resolved'::text));
CREATE INDEX alerts_by_creation ON tidewatch.alerts USING btree (organization_id, created_at, id);
CREATE INDEX alerts_by_host ON tidewatch.alerts USING btree (organization_id, host, fired_at, id) INCLUDE (status, severity, acknowledged_at, shadow);
CREATE INDEX alerts_by_rule ON tidewatch.alerts USING btree (organization_id, rule_id, fired_at, id) INCLUDE (status, severity, acknowledged_at, shadow);
CREATE INDEX alerts_by_service ON tidewatch.alerts USING btree (organization_id, service_id, fired_at, id) INCLUDE (status, severity, acknowledged_at, shadow);
CREATE INDEX alerts_by_severity ON tidewatch.alerts USING btree (organization_id, severity, fired_at, id) INCLUDE (status, acknowledged_at, shadow);
CREATE INDEX alerts_by_status ON tidewatch.alerts USING btree (organization_id, status, fired_at, id) INCLUDE (severity, acknowledged_at, shadow);
CREATE INDEX alerts_by_time ON tidewatch.alerts USING btree (organization_id, fired_at, id) INCLUDE (status, severity, acknowledged_at, shadow);
CREATE INDEX alerts_late ON tidewatch.alerts USING btree (organization_id, created_at) WHERE ((created_at - fired_at) > '00:05:00'::interval);
CREATE INDEX alerts_offline ON tidewatch.alerts USING btree (organization_id, service_id) WHERE ((status = 'active'::text) AND (metric = 'host.silent_minutes'::text));
CREATE INDEX alerts_shadow ON tidewatch.alerts USING btree (organization_id, fired_at, id) INCLUDE (status, severity) WHERE shadow;
CREATE INDEX alerts_silenced ON tidewatch.alerts USING btree (organization_id, silenced_by, silenced_until) WHERE ((status = 'active'::text) AND (silenced_by IS NOT NULL));
alter table alerts add constraint alerts_pkey PRIMARY KEY (organization_id, id);
CREATE STATISTICS tidewatch.alerts_lateness ON (created_at - fired_at) FROM alerts;
CREATE TRIGGER alert_versions_kept AFTER UPDATE ON alerts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_alert_versions();
CREATE TRIGGER alerts_counted_delete AFTER DELETE ON alerts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_counted_insert AFTER INSERT ON alerts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_counted_update AFTER UPDATE ON alerts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
alter table alerts enable row level security;
create policy organization on alerts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on alerts to tidewatch_evaluator using (true);
create policy tidewatch_investigator on alerts to tidewatch_investigator using (true);
create policy tidewatch_notifier on alerts to tidewatch_notifier using (true);
create policy tidewatch_writer on alerts to tidewatch_writer using (true);
grant insert, select, update on alerts to tidewatch_api;
grant delete, insert, select, update on alerts to tidewatch_evaluator;
grant select on alerts to tidewatch_investigator;
grant update (investigation_id, updated_at) on alerts to tidewatch_investigator;
grant select on alerts to tidewatch_notifier;
grant delete, select on alerts to tidewatch_writer;

create table api_keys (
  organization_id text not null,
  id text not null,
  name text not null,
  prefix text not null,
  secret_sha256 bytea,
  scopes text[] not null,
  rate_limit_per_minute integer,
  hosts text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by jsonb,
  replaces text,
  replaced_by text,
  kind text not null default 'program'::text,
  person_issuer text,
  person_subject text,
  constraint api_keys_pkey PRIMARY KEY (organization_id, id),
  constraint api_keys_secret_sha256_key UNIQUE (secret_sha256),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['program'::text, 'person'::text])),
  constraint api_keys_person CHECK (
CASE kind
    WHEN 'program'::text THEN secret_sha256 IS NOT NULL AND person_issuer IS NULL AND person_subject IS NULL
    ELSE secret_sha256 IS NULL AND person_issuer IS NOT NULL AND person_subject IS NOT NULL
END)
);
alter table api_keys owner to tidewatch_owner;
CREATE INDEX api_keys_listed ON tidewatch.api_keys USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX api_keys_of_people ON tidewatch.api_keys USING btree (organization_id, person_issuer, person_subject) WHERE (kind = 'person'::text);
CREATE TRIGGER keys_changed AFTER DELETE OR UPDATE OF secret_sha256, scopes, rate_limit_per_minute, hosts, expires_at, revoked_at ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
alter table api_keys enable row level security;
create policy organization on api_keys to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant insert, select, update on api_keys to tidewatch_api;

create table audit (
  organization_id text not null,
  id text not null,
  at timestamp with time zone not null,
  key_id text not null,
  key_name text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  object_name text not null,
  ip text,
  before jsonb,
  after jsonb,
  session_id text,
  constraint audit_pkey PRIMARY KEY (organization_id, id),
  constraint audit_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table audit owner to tidewatch_owner;
CREATE INDEX audit_by_action ON tidewatch.audit USING btree (organization_id, action, at DESC, id DESC);
CREATE INDEX audit_by_key ON tidewatch.audit USING btree (organization_id, key_id, at DESC, id DESC);
CREATE INDEX audit_by_object ON tidewatch.audit USING btree (organization_id, object_id, at DESC, id DESC);
CREATE INDEX audit_listed ON tidewatch.audit USING btree (organization_id, at DESC, id DESC);
CREATE TRIGGER audit_counted_insert AFTER INSERT ON audit REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_audit();
CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit enable row level security;
create policy organization on audit to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant insert, select on audit to tidewatch_api;

create table audit_counts (
  organization_id text not null,
  day date not null,
  action text not null,
  object_type text not null,
  count bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table audit_counts owner to tidewatch_owner;
CREATE INDEX audit_counts_by_day ON tidewatch.audit_counts USING btree (organization_id, day);
alter table audit_counts enable row level security;
create policy organization on audit_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on audit_counts to tidewatch_api;

create table audit_usage (
  organization_id text not null,
  hour timestamp with time zone not null,
  bytes bigint not null,
  constraint audit_usage_pkey PRIMARY KEY (organization_id),
  constraint audit_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table audit_usage owner to tidewatch_owner;
alter table audit_usage enable row level security;
create policy organization on audit_usage to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant insert, select, update on audit_usage to tidewatch_api;

create table block_latest (
  block_id integer not null,
  applied_at timestamp with time zone not null,
  times timestamp with time zone[] not null,
  vals double precision[] not null,
  constraint block_latest_pkey PRIMARY KEY (block_id)
) with (fillfactor=60);
alter table block_latest owner to tidewatch_owner;
grant select on block_latest to tidewatch_api;
grant select on block_latest to tidewatch_evaluator;
grant select on block_latest to tidewatch_investigator;
grant delete, insert, select, update on block_latest to tidewatch_writer;

create table blocks (
  organization_id text not null,
  id integer not null generated always as identity,
  service_id text not null,
  subject_kind text not null,
  subject_name text collate "C" not null,
  ordinal smallint not null,
  created_at timestamp with time zone not null default now(),
  metrics text[] collate "C" not null default '{}'::text[],
  listed boolean not null default true,
  parts integer[] not null default '{}'::integer[],
  constraint blocks_pkey PRIMARY KEY (organization_id, id),
  constraint blocks_organization_id_service_id_subject_kind_subject_name_key UNIQUE (organization_id, service_id, subject_kind, subject_name, ordinal),
  constraint blocks_metrics_check CHECK (cardinality(metrics) <= 16),
  constraint blocks_of_parts CHECK (subject_kind <> 'part'::text OR cardinality(parts) = cardinality(metrics))
);
alter table blocks owner to tidewatch_owner;
CREATE UNIQUE INDEX blocks_by_id ON tidewatch.blocks USING btree (id);
CREATE TRIGGER metrics_counted_delete AFTER DELETE ON blocks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_metrics();
CREATE TRIGGER metrics_counted_insert AFTER INSERT ON blocks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_metrics();
CREATE TRIGGER metrics_counted_update AFTER UPDATE ON blocks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_metrics();
CREATE TRIGGER part_metrics_counted_delete AFTER DELETE ON blocks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_part_metrics();
CREATE TRIGGER part_metrics_counted_insert AFTER INSERT ON blocks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_part_metrics();
CREATE TRIGGER part_metrics_counted_update AFTER UPDATE ON blocks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_part_metrics();
alter table blocks enable row level security;
create policy organization on blocks to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on blocks to tidewatch_evaluator using (true);
create policy tidewatch_investigator on blocks to tidewatch_investigator using (true);
create policy tidewatch_writer on blocks to tidewatch_writer using (true);
grant select on blocks to tidewatch_api;
grant select on blocks to tidewatch_evaluator;
grant select on blocks to tidewatch_investigator;
grant delete, insert, select, update on blocks to tidewatch_writer;

create table bus_topics (
  topic text not null,
  cluster_id text not null,
  partitions integer not null,
  seen_at timestamp with time zone not null default now(),
  constraint bus_topics_pkey PRIMARY KEY (topic)
);
alter table bus_topics owner to tidewatch_owner;
grant insert, select on bus_topics to tidewatch_api;
grant insert, select on bus_topics to tidewatch_evaluator;
grant insert, select on bus_topics to tidewatch_investigator;
grant insert, select on bus_topics to tidewatch_notifier;
grant insert, select on bus_topics to tidewatch_writer;

create table channel_deliveries (
  organization_id text not null,
  channel_id text not null,
  status text not null,
  at timestamp with time zone not null,
  error text,
  constraint channel_deliveries_pkey PRIMARY KEY (organization_id, channel_id),
  constraint channel_deliveries_status_check CHECK (status = ANY (ARRAY['delivered'::text, 'failed'::text]))
) with (fillfactor=70);
alter table channel_deliveries owner to tidewatch_owner;
alter table channel_deliveries enable row level security;
create policy organization on channel_deliveries to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on channel_deliveries to tidewatch_notifier using (true);
grant insert, select, update on channel_deliveries to tidewatch_api;
grant insert, select, update on channel_deliveries to tidewatch_notifier;

create table channels (
  organization_id text not null,
  id text not null,
  kind text not null,
  name text not null,
  is_default boolean not null,
  enabled boolean not null,
  shown jsonb not null,
  sealed bytea,
  nonce bytea,
  key_id text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint channels_pkey PRIMARY KEY (organization_id, id),
  constraint channels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint channels_check CHECK ((sealed IS NULL) = (deleted_at IS NOT NULL)),
  constraint channels_kind_check CHECK (kind = ANY (ARRAY['slack'::text, 'email'::text, 'webhook'::text, 'pagerduty'::text]))
);
alter table channels owner to tidewatch_owner;
CREATE UNIQUE INDEX channels_by_default ON tidewatch.channels USING btree (organization_id, kind) WHERE (is_default AND (deleted_at IS NULL));
CREATE INDEX channels_listed ON tidewatch.channels USING btree (organization_id, created_at, id) WHERE (deleted_at IS NULL);
alter table channels enable row level security;
create policy organization on channels to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on channels to tidewatch_notifier using (true);
grant insert, select, update on channels to tidewatch_api;
grant select on channels to tidewatch_notifier;

create table clock_steps (
  organization_id text not null,
  service_id text not null,
  newest_before timestamp with time zone not null,
  evaluated_until timestamp with time zone not null,
  moved_by_ms double precision not null,
  constraint clock_steps_pkey PRIMARY KEY (organization_id, service_id)
);
alter table clock_steps owner to tidewatch_owner;
alter table clock_steps enable row level security;
create policy organization on clock_steps to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on clock_steps to tidewatch_evaluator using (true);
grant delete, insert, select, update on clock_steps to tidewatch_evaluator;

create table closed_days (
  day date not null,
  closed_to integer not null,
  closed_at timestamp with time zone not null,
  is_converted boolean not null default false,
  constraint closed_days_pkey PRIMARY KEY (day)
);
alter table closed_days owner to tidewatch_owner;
grant delete, insert, select, update on closed_days to tidewatch_writer;

create table consumer_checkpoints (
  consumer text not null,
  topic text not null,
  partition integer not null,
  slot smallint not null,
  first_offset bigint not null,
  fingerprints bytea not null,
  constraint consumer_checkpoints_pkey PRIMARY KEY (consumer, topic, partition, slot)
) with (fillfactor=50);
alter table consumer_checkpoints owner to tidewatch_owner;
grant insert, select, update on consumer_checkpoints to tidewatch_evaluator;
grant insert, select, update on consumer_checkpoints to tidewatch_investigator;
grant insert, select, update on consumer_checkpoints to tidewatch_notifier;
grant insert, select, update on consumer_checkpoints to tidewatch_writer;

create table consumer_offsets (
  consumer text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint,
  epoch bigint not null,
  fingerprint bigint,
  constraint consumer_offsets_pkey PRIMARY KEY (consumer, topic, partition)
);
alter table consumer_offsets owner to tidewatch_owner;
grant select on consumer_offsets to tidewatch_api;
grant delete, insert, select, update on consumer_offsets to tidewatch_evaluator;
grant insert, select, update on consumer_offsets to tidewatch_investigator;
grant insert, select, update on consumer_offsets to tidewatch_notifier;
grant insert, select, update on consumer_offsets to tidewatch_writer;

create table consumer_rests (
  consumer text not null,
  topic text not null,
  partition integer not null,
  seq bigint not null,
  record_offset bigint not null,
  published_at timestamp with time zone not null,
  value bytea not null,
  constraint consumer_rests_pkey PRIMARY KEY (consumer, topic, partition, seq)
);
alter table consumer_rests owner to tidewatch_owner;
grant delete, insert, select, update on consumer_rests to tidewatch_evaluator;
grant delete, insert, select, update on consumer_rests to tidewatch_investigator;
grant delete, insert, select, update on consumer_rests to tidewatch_notifier;
grant delete, insert, select, update on consumer_rests to tidewatch_writer;

create table damaged_samples (
  organization_id text not null,
  id bigint not null generated always as identity,
  found_at timestamp with time zone not null default now(),
  relation text not null,
  bucket smallint,
  seq bigint,
  block_id integer,
  day date not null,
  reason text not null,
  data bytea not null storage e,
  constraint damaged_samples_pkey PRIMARY KEY (organization_id, id)
);
alter table damaged_samples owner to tidewatch_owner;
alter table damaged_samples enable row level security;
create policy organization on damaged_samples to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_writer on damaged_samples to tidewatch_writer using (true);
grant delete, insert, select on damaged_samples to tidewatch_writer;

create table destination_paces (
  organization_id text not null,
  channel text not null,
  tokens double precision not null,
  refilled_at timestamp with time zone not null,
  failures integer not null,
  open_until timestamp with time zone,
  paused_until timestamp with time zone,
  answered_at timestamp with time zone,
  constraint destination_paces_pkey PRIMARY KEY (organization_id, channel)
) with (fillfactor=50);
alter table destination_paces owner to tidewatch_owner;
alter table destination_paces enable row level security;
create policy organization on destination_paces to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on destination_paces to tidewatch_notifier using (true);
grant select on destination_paces to tidewatch_api;
grant update (failures, open_until, paused_until, answered_at) on destination_paces to tidewatch_api;
grant insert, select, update on destination_paces to tidewatch_notifier;

create table dirty_buckets (
  tier text not null,
  block_id integer not null,
  bucket timestamp with time zone not null,
  marked_at timestamp with time zone not null default now(),
  constraint dirty_buckets_pkey PRIMARY KEY (tier, block_id, bucket),
  constraint dirty_buckets_tier_check CHECK (tier = ANY (ARRAY['1m'::text, '1h'::text, '1d'::text]))
);
alter table dirty_buckets owner to tidewatch_owner;
grant select on dirty_buckets to tidewatch_api;
grant select on dirty_buckets to tidewatch_investigator;
grant delete, insert, select, update on dirty_buckets to tidewatch_writer;

create table flapping_streams (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null,
  changed_at timestamp with time zone not null,
  severity text not null,
  notices jsonb not null default '[]'::jsonb,
  constraint flapping_streams_pkey PRIMARY KEY (organization_id, rule_id, service_id, subject_kind, subject_name)
);
alter table flapping_streams owner to tidewatch_owner;
CREATE INDEX flapping_streams_by_time ON tidewatch.flapping_streams USING btree (changed_at);
alter table flapping_streams enable row level security;
create policy organization on flapping_streams to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on flapping_streams to tidewatch_notifier using (true);
create policy tidewatch_writer on flapping_streams to tidewatch_writer using (true);
grant delete, insert, select, update on flapping_streams to tidewatch_notifier;
grant delete, select on flapping_streams to tidewatch_writer;

create table flaps (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text collate "C" not null,
  times timestamp with time zone[] not null,
  last_at timestamp with time zone not null,
  severities text[] not null,
  flapping_severity text,
  constraint flaps_pkey PRIMARY KEY (organization_id, rule_id, service_id, subject_kind, subject_name)
);
alter table flaps owner to tidewatch_owner;
CREATE INDEX flaps_by_service ON tidewatch.flaps USING btree (organization_id, service_id);
CREATE INDEX flaps_by_time ON tidewatch.flaps USING btree (last_at);
alter table flaps enable row level security;
create policy organization on flaps to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on flaps to tidewatch_evaluator using (true);
grant select on flaps to tidewatch_api;
grant delete, insert, select, update on flaps to tidewatch_evaluator;

create table ingest_receipt_marks (
  organization_id text not null,
  receipt_id text not null,
  consumer text not null,
  partition integer not null,
  "offset" bigint not null,
  at timestamp with time zone not null default clock_timestamp(),
  reason text,
  constraint ingest_receipt_marks_pkey PRIMARY KEY (organization_id, receipt_id, consumer, partition, "offset")
);
alter table ingest_receipt_marks owner to tidewatch_owner;
CREATE INDEX ingest_receipt_marks_by_time ON tidewatch.ingest_receipt_marks USING btree (at);
alter table ingest_receipt_marks enable row level security;
create policy organization on ingest_receipt_marks to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on ingest_receipt_marks to tidewatch_evaluator using (true);
create policy tidewatch_writer on ingest_receipt_marks to tidewatch_writer using (true);
grant select on ingest_receipt_marks to tidewatch_api;
grant insert, select, update on ingest_receipt_marks to tidewatch_evaluator;
grant delete, insert, select, update on ingest_receipt_marks to tidewatch_writer;

create table ingest_receipts (
  organization_id text not null,
  id text not null,
  key_id text not null,
  accepted_at timestamp with time zone not null,
  records jsonb not null,
  constraint ingest_receipts_pkey PRIMARY KEY (organization_id, id)
);
alter table ingest_receipts owner to tidewatch_owner;
CREATE INDEX ingest_receipts_by_time ON tidewatch.ingest_receipts USING btree (accepted_at);
alter table ingest_receipts enable row level security;
create policy organization on ingest_receipts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_writer on ingest_receipts to tidewatch_writer using (true);
grant insert, select on ingest_receipts to tidewatch_api;
grant delete, select on ingest_receipts to tidewatch_writer;

create table installation (
  cookie_id text not null default lpad(((floor((random() * (100000000)::double precision)))::bigint)::text, 8, '0'::text),
  only_row boolean not null default true,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_cookie_id_check CHECK (cookie_id ~ '^[0-9]{8}$'::text),
  constraint installation_only_row_check CHECK (only_row)
);
alter table installation owner to tidewatch_owner;
grant select on installation to tidewatch_api;

create table investigation_alerts (
  organization_id text not null,
  investigation_id text not null,
  alert_id text not null,
  constraint investigation_alerts_pkey PRIMARY KEY (organization_id, investigation_id, alert_id),
  constraint investigation_alerts_organization_id_investigation_id_fkey FOREIGN KEY (organization_id, investigation_id) REFERENCES investigations(organization_id, id) ON DELETE CASCADE
);
alter table investigation_alerts owner to tidewatch_owner;
CREATE INDEX investigation_alerts_by_alert ON tidewatch.investigation_alerts USING btree (organization_id, alert_id);
alter table investigation_alerts enable row level security;
create policy organization on investigation_alerts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on investigation_alerts to tidewatch_investigator using (true);
grant insert, select on investigation_alerts to tidewatch_api;
grant insert, select on investigation_alerts to tidewatch_investigator;

create table investigation_counts (
  organization_id text not null,
  status text not null,
  conclusion text,
  severity text,
  count bigint not null,
  day date not null default '-infinity'::date
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table investigation_counts owner to tidewatch_owner;
CREATE INDEX investigation_counts_by_day ON tidewatch.investigation_counts USING btree (organization_id, day);
alter table investigation_counts enable row level security;
create policy organization on investigation_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on investigation_counts to tidewatch_api;

create table investigation_evidence (
  organization_id text not null,
  investigation_id text not null,
  id text not null,
  ref text not null,
  query text not null,
  window_from timestamp with time zone not null,
  window_to timestamp with time zone not null,
  stats jsonb not null,
  points jsonb not null,
  constraint investigation_evidence_pkey PRIMARY KEY (organization_id, investigation_id, id),
  constraint investigation_evidence_organization_id_investigation_id_fkey FOREIGN KEY (organization_id, investigation_id) REFERENCES investigations(organization_id, id) ON DELETE CASCADE
);
alter table investigation_evidence owner to tidewatch_owner;
alter table investigation_evidence enable row level security;
create policy organization on investigation_evidence to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on investigation_evidence to tidewatch_investigator using (true);
grant select on investigation_evidence to tidewatch_api;
grant delete, insert, select, update on investigation_evidence to tidewatch_investigator;

create table investigation_spend (
  organization_id text not null,
  hour timestamp with time zone not null,
  severity_class text not null,
  calls integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  constraint investigation_spend_pkey PRIMARY KEY (organization_id, hour, severity_class)
) with (fillfactor=60);
alter table investigation_spend owner to tidewatch_owner;
CREATE INDEX investigation_spend_by_hour ON tidewatch.investigation_spend USING btree (hour);
alter table investigation_spend enable row level security;
create policy organization on investigation_spend to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on investigation_spend to tidewatch_investigator using (true);
create policy tidewatch_writer on investigation_spend to tidewatch_writer using (true);
grant insert, select, update on investigation_spend to tidewatch_investigator;
grant delete, select on investigation_spend to tidewatch_writer;

create table investigations (
  organization_id text not null,
  id text not null,
  created_at timestamp with time zone not null,
  created_by jsonb,
  trigger text not null,
  alert_id text,
  service_id text not null,
  host text collate "C" not null,
  metric text,
  question text,
  severity text,
  title text not null,
  window_from timestamp with time zone not null,
  window_to timestamp with time zone not null,
  status text not null default 'queued'::text,
  claimed_by text,
  claimed_until timestamp with time zone,
  attempts smallint not null default 0,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  conclusion text,
  confidence text,
  findings jsonb not null default '[]'::jsonb,
  analysis jsonb,
  timeline jsonb not null default '[]'::jsonb,
  recommendations jsonb not null default '[]'::jsonb,
  usage jsonb,
  feedback jsonb,
  failure text,
  facts_digest bytea,
  updated_at timestamp with time zone not null,
  again_at timestamp with time zone,
  history_at timestamp with time zone,
  history_redone boolean not null default false,
  reruns smallint not null default 0,
  storm_alerts integer not null default 0,
  constraint investigations_pkey PRIMARY KEY (organization_id, id),
  constraint investigations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint investigations_conclusion_check CHECK (conclusion = ANY (ARRAY['root_cause_found'::text, 'inconclusive'::text])),
  constraint investigations_confidence_check CHECK (confidence = ANY (ARRAY['high'::text, 'medium'::text, 'low'::text])),
  constraint investigations_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])),
  constraint investigations_trigger_check CHECK (trigger = ANY (ARRAY['alert'::text, 'request'::text]))
) with (fillfactor=80);
alter table investigations owner to tidewatch_owner;
CREATE INDEX investigations_again ON tidewatch.investigations USING btree (LEAST(again_at, history_at)) WHERE ((again_at IS NOT NULL) OR (history_at IS NOT NULL));
CREATE INDEX investigations_begun ON tidewatch.investigations USING btree (organization_id, started_at DESC) WHERE (started_at IS NOT NULL);
CREATE INDEX investigations_by_host ON tidewatch.investigations USING btree (organization_id, host, created_at DESC, id DESC);
CREATE INDEX investigations_by_service ON tidewatch.investigations USING btree (organization_id, service_id, created_at DESC, id DESC);
CREATE INDEX investigations_by_status ON tidewatch.investigations USING btree (organization_id, status, created_at DESC, id DESC);
CREATE INDEX investigations_listed ON tidewatch.investigations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX investigations_next ON tidewatch.investigations USING btree (organization_id, ((trigger = 'alert'::text)), ((severity IS DISTINCT FROM 'critical'::text)), created_at, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX investigations_queued ON tidewatch.investigations USING btree (status, created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX investigations_settled ON tidewatch.investigations USING btree (created_at) WHERE (status <> ALL (ARRAY['queued'::text, 'running'::text]));
CREATE TRIGGER investigations_counted_delete AFTER DELETE ON investigations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_investigations();
CREATE TRIGGER investigations_counted_insert AFTER INSERT ON investigations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_investigations();
CREATE TRIGGER investigations_counted_update AFTER UPDATE ON investigations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_investigations();
alter table investigations enable row level security;
create policy organization on investigations to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on investigations to tidewatch_investigator using (true);
create policy tidewatch_writer on investigations to tidewatch_writer using (true);
grant insert, select on investigations to tidewatch_api;
grant update (status, claimed_by, claimed_until, completed_at, feedback, updated_at) on investigations to tidewatch_api;
grant insert, select, update on investigations to tidewatch_investigator;
grant delete, select on investigations to tidewatch_writer;

create table key_hosts (
  organization_id text not null,
  key_id text not null,
  host text collate "C" not null,
  last_used_at timestamp with time zone not null,
  constraint key_hosts_pkey PRIMARY KEY (organization_id, key_id, host),
  constraint key_hosts_organization_id_key_id_fkey FOREIGN KEY (organization_id, key_id) REFERENCES api_keys(organization_id, id) ON DELETE CASCADE
) with (fillfactor=70);
alter table key_hosts owner to tidewatch_owner;
alter table key_hosts enable row level security;
create policy organization on key_hosts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on key_hosts to tidewatch_api;

create table leases (
  name text not null,
  holder text not null,
  expires_at timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
);
alter table leases owner to tidewatch_owner;
grant select on leases to tidewatch_api;
grant delete, insert, select, update on leases to tidewatch_evaluator;
grant insert, select, update on leases to tidewatch_investigator;
grant insert, select, update on leases to tidewatch_notifier;
grant delete, insert, select, update on leases to tidewatch_writer;

create table markers (
  organization_id text not null,
  id text not null,
  title text not null,
  at timestamp with time zone not null,
  selector jsonb not null,
  tags jsonb not null,
  created_at timestamp with time zone not null,
  created_by jsonb not null,
  constraint markers_pkey PRIMARY KEY (organization_id, id),
  constraint markers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table markers owner to tidewatch_owner;
CREATE INDEX markers_by_time ON tidewatch.markers USING btree (at);
CREATE INDEX markers_listed ON tidewatch.markers USING btree (organization_id, at DESC, id DESC);
alter table markers enable row level security;
create policy organization on markers to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on markers to tidewatch_investigator using (true);
create policy tidewatch_writer on markers to tidewatch_writer using (true);
grant delete, insert, select on markers to tidewatch_api;
grant select on markers to tidewatch_investigator;
grant delete, select on markers to tidewatch_writer;

create table metric_count_changes (
  organization_id text not null,
  metric text collate "C" not null,
  services bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table metric_count_changes owner to tidewatch_owner;
alter table metric_count_changes enable row level security;
create policy organization on metric_count_changes to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on metric_count_changes to tidewatch_api;

create table metric_counts (
  organization_id text not null,
  metric text collate "C" not null,
  services bigint not null,
  constraint metric_counts_pkey PRIMARY KEY (organization_id, metric)
) with (fillfactor=70);
alter table metric_counts owner to tidewatch_owner;
alter table metric_counts enable row level security;
create policy organization on metric_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on metric_counts to tidewatch_api;

create table notification_alerts (
  organization_id text not null,
  alert_id text not null,
  channel text not null,
  event_id text not null,
  notification_id text not null,
  event jsonb,
  severity text,
  constraint notification_alerts_pkey PRIMARY KEY (organization_id, alert_id, channel, event_id),
  constraint notification_alerts_organization_id_notification_id_fkey FOREIGN KEY (organization_id, notification_id) REFERENCES notifications(organization_id, id) ON DELETE CASCADE
);
alter table notification_alerts owner to tidewatch_owner;
CREATE INDEX notification_alerts_by_notification ON tidewatch.notification_alerts USING btree (organization_id, notification_id);
alter table notification_alerts enable row level security;
create policy organization on notification_alerts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on notification_alerts to tidewatch_notifier using (true);
create policy tidewatch_writer on notification_alerts to tidewatch_writer using (true);
grant select on notification_alerts to tidewatch_api;
grant insert, select, update on notification_alerts to tidewatch_notifier;
grant select on notification_alerts to tidewatch_writer;

create table notification_counts (
  organization_id text not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table notification_counts owner to tidewatch_owner;
CREATE INDEX notification_counts_by_organization ON tidewatch.notification_counts USING btree (organization_id);
alter table notification_counts enable row level security;
create policy organization on notification_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on notification_counts to tidewatch_api;

create table notification_windows (
  organization_id text not null,
  rule_id text not null,
  channel text not null,
  direction text not null,
  ends_at timestamp with time zone not null,
  sent_at_once integer not null,
  digest_id text,
  digest_alerts integer not null,
  digest_bytes integer not null,
  constraint notification_windows_pkey PRIMARY KEY (organization_id, rule_id, channel, direction)
) with (fillfactor=60);
alter table notification_windows owner to tidewatch_owner;
alter table notification_windows enable row level security;
create policy organization on notification_windows to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on notification_windows to tidewatch_notifier using (true);
create policy tidewatch_writer on notification_windows to tidewatch_writer using (true);
grant insert, select, update on notification_windows to tidewatch_notifier;
grant delete, select on notification_windows to tidewatch_writer;

create table notifications (
  organization_id text not null,
  id text not null,
  event_id text not null,
  rule_id text,
  transition text not null,
  direction text not null,
  channel text not null,
  channel_kind text not null,
  channel_id text,
  channel_name text,
  status text not null,
  reason text,
  attempts integer not null default 0,
  last_error text,
  reference text,
  event jsonb,
  waits_for text[] not null default '{}'::text[],
  next_attempt_at timestamp with time zone not null,
  give_up_at timestamp with time zone not null,
  attempting boolean not null default false,
  forced boolean not null default false,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  priority smallint not null default 1,
  constraint notifications_direction_check CHECK (direction = ANY (ARRAY['opening'::text, 'resolution'::text])),
  constraint notifications_priority_check CHECK (priority >= 0 AND priority <= 3)
) with (fillfactor=80);
alter table notifications owner to tidewatch_owner;
CREATE INDEX notifications_by_status ON tidewatch.notifications USING btree (organization_id, status, created_at DESC, id DESC);
CREATE INDEX notifications_by_turn ON tidewatch.notifications USING btree (organization_id, channel, priority, next_attempt_at, id) WHERE (status = 'queued'::text);
CREATE INDEX notifications_listed ON tidewatch.notifications USING btree (organization_id, created_at DESC, id DESC) INCLUDE (status);
CREATE UNIQUE INDEX notifications_of_events ON tidewatch.notifications USING btree (organization_id, event_id, channel) WHERE (transition = 'event'::text);
CREATE INDEX notifications_settled ON tidewatch.notifications USING btree (created_at) WHERE (status <> 'queued'::text);
alter table notifications add constraint notifications_pkey PRIMARY KEY (organization_id, id);
CREATE TRIGGER notifications_counted_delete AFTER DELETE ON notifications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_notifications();
CREATE TRIGGER notifications_counted_insert AFTER INSERT ON notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_notifications();
CREATE TRIGGER notifications_counted_update AFTER UPDATE ON notifications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_notifications();
alter table notifications enable row level security;
create policy organization on notifications to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_notifier on notifications to tidewatch_notifier using (true);
create policy tidewatch_writer on notifications to tidewatch_writer using (true);
grant select on notifications to tidewatch_api;
grant update (status, reason, waits_for, next_attempt_at, give_up_at, forced) on notifications to tidewatch_api;
grant insert, select, update on notifications to tidewatch_notifier;
grant delete, select on notifications to tidewatch_writer;

create view organization_snapshots as
 SELECT "time",
    organization_id,
    service_id,
    containers,
    processes
   FROM snapshots
  WHERE organization_id = current_setting('tidewatch.organization'::text, true);
alter view organization_snapshots owner to tidewatch_owner;
grant select on organization_snapshots to tidewatch_api;

create table organizations (
  id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  constraint organizations_pkey PRIMARY KEY (id)
);
alter table organizations owner to tidewatch_owner;
CREATE INDEX organizations_listed ON tidewatch.organizations USING btree (created_at, id);
alter table organizations enable row level security;
create policy operator on organizations for select to tidewatch_api using ((current_setting('tidewatch.organization'::text, true) = 'installation'::text));
create policy organization on organizations to tidewatch_api using ((id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on organizations to tidewatch_evaluator using (true);
grant insert, select, update on organizations to tidewatch_api;
grant select on organizations to tidewatch_evaluator;

create table outbox (
  id bigint not null generated always as identity,
  organization_id text not null,
  event jsonb not null,
  created_at timestamp with time zone not null default now(),
  sequence bigint,
  published_at timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_sequence_key UNIQUE (sequence)
) with (fillfactor=50);
alter table outbox owner to tidewatch_owner;
CREATE INDEX outbox_by_event ON tidewatch.outbox USING btree (organization_id, ((event ->> 'id'::text))) WHERE (sequence IS NOT NULL);
CREATE INDEX outbox_by_organization ON tidewatch.outbox USING btree (organization_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX outbox_probes ON tidewatch.outbox USING btree (id) WHERE ((event ->> 'type'::text) = 'pipeline.probe'::text);
CREATE INDEX outbox_unpublished ON tidewatch.outbox USING btree (id) WHERE (sequence IS NULL);
CREATE INDEX outbox_unpublished_by_organization ON tidewatch.outbox USING btree (organization_id, id) WHERE (sequence IS NULL);
alter table outbox enable row level security;
create policy organization on outbox to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on outbox to tidewatch_evaluator using (true);
create policy tidewatch_investigator on outbox to tidewatch_investigator using (true);
create policy tidewatch_notifier on outbox to tidewatch_notifier using (true);
create policy tidewatch_writer on outbox to tidewatch_writer using (true);
grant insert, select, update on outbox to tidewatch_api;
grant delete, insert, select, update on outbox to tidewatch_evaluator;
grant insert, select on outbox to tidewatch_investigator;
grant insert, select on outbox to tidewatch_notifier;
grant delete, insert, select on outbox to tidewatch_writer;

create table packed_days (
  block_id integer not null,
  month date not null,
  data bytea not null storage e
) partition by RANGE (month);
alter table packed_days owner to tidewatch_owner;
CREATE UNIQUE INDEX packed_days_key ON ONLY tidewatch.packed_days USING btree (block_id, month);
grant select on packed_days to tidewatch_api;
grant select on packed_days to tidewatch_investigator;
grant delete, insert, select, update on packed_days to tidewatch_writer;

create table packed_hours (
  block_id integer not null,
  day date not null,
  data bytea not null storage e
) partition by RANGE (day);
alter table packed_hours owner to tidewatch_owner;
CREATE UNIQUE INDEX packed_hours_key ON ONLY tidewatch.packed_hours USING btree (block_id, day);
grant select on packed_hours to tidewatch_api;
grant select on packed_hours to tidewatch_investigator;
grant delete, insert, select, update on packed_hours to tidewatch_writer;

create table packed_minutes (
  block_id integer not null,
  day date not null,
  data bytea not null storage e
) partition by RANGE (day);
alter table packed_minutes owner to tidewatch_owner;
CREATE UNIQUE INDEX packed_minutes_key ON ONLY tidewatch.packed_minutes USING btree (block_id, day);
grant select on packed_minutes to tidewatch_api;
grant select on packed_minutes to tidewatch_investigator;
grant delete, insert, select, update on packed_minutes to tidewatch_writer;

create view part_latest with (security_invoker=true) as
 SELECT b.organization_id,
    b.service_id,
    b.id AS block_id,
    b.listed,
    b.metrics,
    b.parts,
    GREATEST(l.applied_at, v.applied_at) AS applied_at,
        CASE
            WHEN v.place IS NULL THEN l.times
            WHEN v.times IS NULL THEN array_fill(v.at, ARRAY[16])
            ELSE v.times[16 * v.place - 15:16 * v.place]
        END AS times,
        CASE
            WHEN v.place IS NULL THEN l.vals
            ELSE v.vals[16 * v.place - 15:16 * v.place]
        END AS vals
   FROM blocks b
     LEFT JOIN block_latest l ON l.block_id = b.id
     LEFT JOIN LATERAL ( SELECT p.applied_at,
            p.at,
            p.times,
            p.vals,
            array_position(p.blocks, b.id) AS place
           FROM parts_live p
          WHERE p.organization_id = b.organization_id AND p.service_id = b.service_id) v ON true
  WHERE b.subject_kind = 'part'::text;
alter view part_latest owner to tidewatch_owner;
grant select on part_latest to tidewatch_api;
grant select on part_latest to tidewatch_evaluator;
grant select on part_latest to tidewatch_investigator;
grant select on part_latest to tidewatch_writer;

create table part_metrics (
  organization_id text not null,
  metric text collate "C" not null,
  service_id text not null,
  series integer not null,
  constraint part_metrics_pkey PRIMARY KEY (organization_id, metric, service_id)
) with (fillfactor=70);
alter table part_metrics owner to tidewatch_owner;
CREATE TRIGGER part_metrics_counted_delete AFTER DELETE ON part_metrics REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_part_metric_services();
CREATE TRIGGER part_metrics_counted_insert AFTER INSERT ON part_metrics REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_part_metric_services();
CREATE TRIGGER part_metrics_dropped AFTER UPDATE ON part_metrics FOR EACH ROW WHEN (new.series <= 0) EXECUTE FUNCTION drop_part_metric();
alter table part_metrics enable row level security;
create policy organization on part_metrics to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));

create table part_versions (
  organization_id text not null,
  part_id integer not null,
  number bigint not null generated always as identity,
  until timestamp with time zone not null,
  listed boolean not null,
  gone boolean not null,
  constraint part_versions_pkey PRIMARY KEY (organization_id, part_id, number)
);
alter table part_versions owner to tidewatch_owner;
CREATE INDEX part_versions_by_time ON tidewatch.part_versions USING btree (organization_id, until);
alter table part_versions enable row level security;
create policy organization on part_versions to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_writer on part_versions to tidewatch_writer using (true);
grant select on part_versions to tidewatch_api;
grant delete, select on part_versions to tidewatch_writer;

create table parts (
  organization_id text not null,
  id integer not null generated always as identity,
  service_id text not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  labels jsonb not null default '{}'::jsonb,
  labels_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  host text collate "C" not null,
  listed boolean not null default true,
  gone boolean not null default false,
  constraint parts_pkey PRIMARY KEY (organization_id, id),
  constraint parts_organization_id_service_id_kind_name_key UNIQUE (organization_id, service_id, kind, name)
);
alter table parts owner to tidewatch_owner;
CREATE UNIQUE INDEX parts_by_id ON tidewatch.parts USING btree (id);
CREATE INDEX parts_by_kind ON tidewatch.parts USING btree (organization_id, kind, service_id, name);
CREATE INDEX parts_listed_by_host ON tidewatch.parts USING btree (organization_id, host, kind, name) WHERE (listed AND (NOT gone));
CREATE INDEX parts_listed_by_kind ON tidewatch.parts USING btree (organization_id, kind, name, host) WHERE (listed AND (NOT gone));
CREATE TRIGGER part_versions_kept AFTER UPDATE ON parts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_part_versions();
alter table parts enable row level security;
create policy organization on parts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on parts to tidewatch_evaluator using (true);
create policy tidewatch_investigator on parts to tidewatch_investigator using (true);
create policy tidewatch_writer on parts to tidewatch_writer using (true);
grant select on parts to tidewatch_api;
grant select on parts to tidewatch_evaluator;
grant select on parts to tidewatch_investigator;
grant delete, insert, select, update on parts to tidewatch_writer;

create table parts_live (
  organization_id text not null,
  service_id text not null,
  applied_at timestamp with time zone not null,
  blocks integer[] not null,
  at timestamp with time zone not null,
  times timestamp with time zone[] storage e,
  vals double precision[] not null storage e,
  constraint parts_live_pkey PRIMARY KEY (organization_id, service_id)
) with (fillfactor=60, toast_tuple_target=8160);
alter table parts_live owner to tidewatch_owner;
alter table parts_live enable row level security;
create policy organization on parts_live to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on parts_live to tidewatch_evaluator using (true);
create policy tidewatch_investigator on parts_live to tidewatch_investigator using (true);
create policy tidewatch_writer on parts_live to tidewatch_writer using (true);
grant select on parts_live to tidewatch_api;
grant select on parts_live to tidewatch_evaluator;
grant select on parts_live to tidewatch_investigator;
grant delete, insert, select, update on parts_live to tidewatch_writer;

create table pipeline_clocks (
  partition integer not null,
  partitions integer not null,
  complete_until timestamp with time zone not null,
  delayed_since timestamp with time zone,
  constraint pipeline_clocks_pkey PRIMARY KEY (partition)
) with (fillfactor=50);
alter table pipeline_clocks owner to tidewatch_owner;
grant select on pipeline_clocks to tidewatch_api;
grant delete, insert, select, update on pipeline_clocks to tidewatch_evaluator;

create table processes (
  id text not null,
  roles text[] not null,
  version text not null,
  status text not null,
  reasons text[] not null,
  figures jsonb not null,
  started_at timestamp with time zone not null,
  reported_at timestamp with time zone not null,
  constraint processes_pkey PRIMARY KEY (id),
  constraint processes_status_check CHECK (status = ANY (ARRAY['ready'::text, 'degraded'::text, 'unavailable'::text]))
) with (fillfactor=50);
alter table processes owner to tidewatch_owner;
grant delete, insert, select, update on processes to tidewatch_api;
grant delete, insert, select, update on processes to tidewatch_evaluator;
grant delete, insert, select, update on processes to tidewatch_investigator;
grant delete, insert, select, update on processes to tidewatch_notifier;
grant delete, insert, select, update on processes to tidewatch_writer;

create table reader_logins (
  organization_id text not null,
  login text not null,
  created_at timestamp with time zone not null default now(),
  constraint reader_logins_pkey PRIMARY KEY (organization_id, login),
  constraint reader_logins_login_key UNIQUE (login),
  constraint reader_logins_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table reader_logins owner to tidewatch_owner;
alter table reader_logins enable row level security;
create policy organization on reader_logins to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));

create view reader_services with (security_barrier=true) as
 SELECT s.id,
    s.host,
    s.tags,
    s.status,
    s.status_reasons,
    s.status_since,
    s.active_critical,
    s.active_warning,
    s.active_info,
    s.first_seen,
    l.last_seen,
    l.last_sample_at,
    l.interval_seconds,
    l.cpu_percent,
    l.memory_percent,
    l.disk_percent,
    s.archived_at
   FROM services s
     LEFT JOIN service_live l ON l.organization_id = s.organization_id AND l.service_id = s.id
  WHERE s.organization_id = (( SELECT reader_organization() AS reader_organization)) AND s.deleted_at IS NULL;
alter view reader_services owner to tidewatch_owner;
grant select on reader_services to tidewatch_reader;

create table resolved_by_hand (
  organization_id text not null,
  alert_id text not null,
  service_id text not null,
  host text collate "C" not null,
  constraint resolved_by_hand_pkey PRIMARY KEY (organization_id, alert_id)
);
alter table resolved_by_hand owner to tidewatch_owner;
alter table resolved_by_hand enable row level security;
create policy organization on resolved_by_hand to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on resolved_by_hand to tidewatch_evaluator using (true);
grant insert, select on resolved_by_hand to tidewatch_api;
grant delete, select on resolved_by_hand to tidewatch_evaluator;

create table revisions (
  name text not null,
  revision bigint not null default 0,
  constraint revisions_pkey PRIMARY KEY (name)
);
alter table revisions owner to tidewatch_owner;
grant insert, select, update on revisions to tidewatch_api;
grant insert, select, update on revisions to tidewatch_evaluator;
grant select on revisions to tidewatch_investigator;
grant select on revisions to tidewatch_notifier;
grant insert, select, update on revisions to tidewatch_writer;

create table rollup_1d (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
) partition by RANGE (bucket);
alter table rollup_1d owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1d_key ON ONLY tidewatch.rollup_1d USING btree (block_id, bucket);
grant select on rollup_1d to tidewatch_api;
grant select on rollup_1d to tidewatch_investigator;
grant insert, select, update on rollup_1d to tidewatch_writer;

create table rollup_1h (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
) partition by RANGE (bucket);
alter table rollup_1h owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1h_key ON ONLY tidewatch.rollup_1h USING btree (block_id, bucket);
grant select on rollup_1h to tidewatch_api;
grant select on rollup_1h to tidewatch_investigator;
grant insert, select, update on rollup_1h to tidewatch_writer;

create table rollup_1m (
  bucket timestamp with time zone not null,
  block_id integer not null,
  sum0 double precision,
  cnt0 integer,
  min0 double precision,
  max0 double precision,
  sum1 double precision,
  cnt1 integer,
  min1 double precision,
  max1 double precision,
  sum2 double precision,
  cnt2 integer,
  min2 double precision,
  max2 double precision,
  sum3 double precision,
  cnt3 integer,
  min3 double precision,
  max3 double precision,
  sum4 double precision,
  cnt4 integer,
  min4 double precision,
  max4 double precision,
  sum5 double precision,
  cnt5 integer,
  min5 double precision,
  max5 double precision,
  sum6 double precision,
  cnt6 integer,
  min6 double precision,
  max6 double precision,
  sum7 double precision,
  cnt7 integer,
  min7 double precision,
  max7 double precision,
  sum8 double precision,
  cnt8 integer,
  min8 double precision,
  max8 double precision,
  sum9 double precision,
  cnt9 integer,
  min9 double precision,
  max9 double precision,
  sum10 double precision,
  cnt10 integer,
  min10 double precision,
  max10 double precision,
  sum11 double precision,
  cnt11 integer,
  min11 double precision,
  max11 double precision,
  sum12 double precision,
  cnt12 integer,
  min12 double precision,
  max12 double precision,
  sum13 double precision,
  cnt13 integer,
  min13 double precision,
  max13 double precision,
  sum14 double precision,
  cnt14 integer,
  min14 double precision,
  max14 double precision,
  sum15 double precision,
  cnt15 integer,
  min15 double precision,
  max15 double precision
) partition by RANGE (bucket);
alter table rollup_1m owner to tidewatch_owner;
CREATE UNIQUE INDEX rollup_1m_key ON ONLY tidewatch.rollup_1m USING btree (block_id, bucket);
grant select on rollup_1m to tidewatch_api;
grant select on rollup_1m to tidewatch_investigator;
grant insert, select, update on rollup_1m to tidewatch_writer;

create table rule_activity (
  organization_id text not null,
  rule_id text not null,
  last_evaluated_at timestamp with time zone,
  pending_count integer not null default 0,
  firing_count integer not null default 0,
  constraint rule_activity_pkey PRIMARY KEY (organization_id, rule_id)
) with (fillfactor=60);
alter table rule_activity owner to tidewatch_owner;
alter table rule_activity enable row level security;
create policy organization on rule_activity to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on rule_activity to tidewatch_evaluator using (true);
grant insert, select, update on rule_activity to tidewatch_api;
grant delete, insert, select, update on rule_activity to tidewatch_evaluator;

create table rule_states (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text collate "C" not null,
  state text not null,
  pending_since timestamp with time zone not null,
  clear_since timestamp with time zone,
  evaluated_at timestamp with time zone not null,
  value double precision,
  peak_value double precision,
  flap_count integer not null default 0,
  alert_id text,
  stream text,
  levels jsonb,
  missed smallint not null default 0,
  opened jsonb
) with (fillfactor=50);
alter table rule_states owner to tidewatch_owner;
CREATE INDEX rule_states_by_rule ON tidewatch.rule_states USING btree (organization_id, rule_id);
alter table rule_states add constraint rule_states_pkey PRIMARY KEY (organization_id, service_id, rule_id, subject_kind, subject_name);
alter table rule_states enable row level security;
create policy organization on rule_states to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on rule_states to tidewatch_evaluator using (true);
create policy tidewatch_investigator on rule_states to tidewatch_investigator using (true);
grant select on rule_states to tidewatch_api;
grant delete, insert, select, update on rule_states to tidewatch_evaluator;
grant select on rule_states to tidewatch_investigator;

create table sample_buckets (
  bucket smallint not null,
  sealed_to bigint not null,
  sealed_at timestamp with time zone not null,
  constraint sample_buckets_pkey PRIMARY KEY (bucket)
) with (fillfactor=50);
alter table sample_buckets owner to tidewatch_owner;
grant select on sample_buckets to tidewatch_api;
grant select on sample_buckets to tidewatch_evaluator;
grant select on sample_buckets to tidewatch_investigator;
grant delete, insert, select, update on sample_buckets to tidewatch_writer;

create table sample_chunks (
  block_id integer not null,
  first timestamp with time zone not null,
  last timestamp with time zone not null,
  data bytea not null storage e
) partition by RANGE (first);
alter table sample_chunks owner to tidewatch_owner;
CREATE UNIQUE INDEX sample_chunks_key ON ONLY tidewatch.sample_chunks USING btree (block_id, first);
grant select on sample_chunks to tidewatch_api;
grant select on sample_chunks to tidewatch_evaluator;
grant select on sample_chunks to tidewatch_investigator;
grant delete, insert, select, update on sample_chunks to tidewatch_writer;

create table sample_days (
  block_id integer not null,
  day date not null,
  data bytea not null storage e
) partition by RANGE (day);
alter table sample_days owner to tidewatch_owner;
CREATE UNIQUE INDEX sample_days_key ON ONLY tidewatch.sample_days USING btree (block_id, day);
grant select on sample_days to tidewatch_api;
grant select on sample_days to tidewatch_evaluator;
grant select on sample_days to tidewatch_investigator;
grant delete, insert, select, update on sample_days to tidewatch_writer;

create table sample_log (
  organization_id text not null,
  bucket smallint not null,
  seq bigint not null,
  first timestamp with time zone not null,
  last timestamp with time zone not null,
  data bytea not null statistics 0 storage e
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=0, toast_tuple_target=8160);
alter table sample_log owner to tidewatch_owner;
CREATE INDEX sample_log_key ON tidewatch.sample_log USING btree (bucket, seq);
alter table sample_log enable row level security;
create policy organization on sample_log to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on sample_log to tidewatch_evaluator using (true);
create policy tidewatch_investigator on sample_log to tidewatch_investigator using (true);
create policy tidewatch_writer on sample_log to tidewatch_writer using (true);
grant select on sample_log to tidewatch_api;
grant select on sample_log to tidewatch_evaluator;
grant select on sample_log to tidewatch_investigator;
grant delete, insert, select on sample_log to tidewatch_writer;

create table samples (
  "time" timestamp with time zone not null,
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
) partition by RANGE ("time");
alter table samples owner to tidewatch_owner;
CREATE UNIQUE INDEX samples_key ON ONLY tidewatch.samples USING btree (block_id, "time");
grant select on samples to tidewatch_api;
grant select on samples to tidewatch_evaluator;
grant select on samples to tidewatch_investigator;
grant insert, select, update on samples to tidewatch_writer;

create table samples_backfill (
  "time" timestamp with time zone not null,
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
) partition by RANGE ("time");
alter table samples_backfill owner to tidewatch_owner;
CREATE UNIQUE INDEX samples_backfill_key ON ONLY tidewatch.samples_backfill USING btree (block_id, "time");
grant select on samples_backfill to tidewatch_api;
grant select on samples_backfill to tidewatch_evaluator;
grant select on samples_backfill to tidewatch_investigator;
grant insert, select, update on samples_backfill to tidewatch_writer;

create table service_counts (
  organization_id text not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table service_counts owner to tidewatch_owner;
alter table service_counts enable row level security;
create policy organization on service_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on service_counts to tidewatch_api;

create table service_live (
  organization_id text not null,
  service_id text not null,
  last_seen timestamp with time zone not null,
  last_sample_at timestamp with time zone,
  interval_seconds double precision,
  clock_offset_seconds double precision,
  clock_skew_seconds double precision,
  cpu_percent double precision,
  memory_percent double precision,
  disk_percent double precision,
  constraint service_live_pkey PRIMARY KEY (organization_id, service_id)
) with (fillfactor=60);
alter table service_live owner to tidewatch_owner;
alter table service_live enable row level security;
create policy organization on service_live to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on service_live to tidewatch_evaluator using (true);
create policy tidewatch_investigator on service_live to tidewatch_investigator using (true);
create policy tidewatch_writer on service_live to tidewatch_writer using (true);
grant select on service_live to tidewatch_api;
grant select on service_live to tidewatch_evaluator;
grant select on service_live to tidewatch_investigator;
grant delete, insert, select, update on service_live to tidewatch_writer;

create table service_names (
  organization_id text not null,
  host text collate "C" not null,
  id text not null,
  folded text collate "C" not null generated always as (lower(host)) stored,
  first_seen timestamp with time zone,
  listed_in bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint service_names_pkey PRIMARY KEY (organization_id, host, id) INCLUDE (folded)
) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=200);
alter table service_names owner to tidewatch_owner;
CREATE INDEX service_names_by_first_seen ON tidewatch.service_names USING btree (organization_id, first_seen);
CREATE INDEX service_names_by_transaction ON tidewatch.service_names USING btree (organization_id, listed_in);
CREATE INDEX service_names_drawn ON tidewatch.service_names USING btree (organization_id, md5(id));
alter table service_names enable row level security;
create policy organization on service_names to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on service_names to tidewatch_investigator using (true);
grant select on service_names to tidewatch_api;
grant select on service_names to tidewatch_investigator;

create table service_tag_count_changes (
  organization_id text not null,
  name text collate "C" not null,
  value text collate "C" not null,
  status text not null,
  count bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200);
alter table service_tag_count_changes owner to tidewatch_owner;
alter table service_tag_count_changes enable row level security;
create policy organization on service_tag_count_changes to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on service_tag_count_changes to tidewatch_api;

create table service_tag_counts (
  organization_id text not null,
  name text collate "C" not null,
  value text collate "C" not null,
  status text not null,
  count bigint not null,
  constraint service_tag_counts_pkey PRIMARY KEY (organization_id, name, value, status)
) with (fillfactor=70);
alter table service_tag_counts owner to tidewatch_owner;
alter table service_tag_counts enable row level security;
create policy organization on service_tag_counts to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant select on service_tag_counts to tidewatch_api;

create view service_tag_tallies with (security_invoker=true) as
 SELECT service_tag_counts.organization_id,
    service_tag_counts.name,
    service_tag_counts.value,
    service_tag_counts.status,
    service_tag_counts.count
   FROM service_tag_counts
UNION ALL
 SELECT service_tag_count_changes.organization_id,
    service_tag_count_changes.name,
    service_tag_count_changes.value,
    service_tag_count_changes.status,
    service_tag_count_changes.count
   FROM service_tag_count_changes;
alter view service_tag_tallies owner to tidewatch_owner;
grant select on service_tag_tallies to tidewatch_api;

create table service_tags (
  organization_id text not null,
  name text collate "C" not null,
  value text collate "C" not null,
  host text collate "C" not null,
  id text not null,
  constraint service_tags_pkey PRIMARY KEY (organization_id, name, value, host, id)
) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=200);
alter table service_tags owner to tidewatch_owner;
alter table service_tags enable row level security;
create policy organization on service_tags to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on service_tags to tidewatch_investigator using (true);
grant select on service_tags to tidewatch_api;
grant select on service_tags to tidewatch_investigator;

create table service_versions (
  organization_id text not null,
  service_id text not null,
  number bigint not null generated always as identity,
  until timestamp with time zone not null,
  tags jsonb not null,
  status text not null,
  status_reasons jsonb not null,
  status_since timestamp with time zone not null,
  active_critical integer not null,
  active_warning integer not null,
  active_info integer not null,
  archived_at timestamp with time zone,
  is_listing boolean not null default true,
  status_from timestamp with time zone,
  span smallint,
  constraint service_versions_pkey PRIMARY KEY (organization_id, service_id, number)
);
alter table service_versions owner to tidewatch_owner;
CREATE INDEX service_versions_by_span ON tidewatch.service_versions USING btree (organization_id, status, span, until) INCLUDE (status_from, service_id) WHERE (span IS NOT NULL);
CREATE INDEX service_versions_by_time ON tidewatch.service_versions USING btree (organization_id, until);
CREATE INDEX service_versions_listing ON tidewatch.service_versions USING btree (organization_id, until) WHERE is_listing;
alter table service_versions enable row level security;
create policy organization on service_versions to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_writer on service_versions to tidewatch_writer using (true);
grant select on service_versions to tidewatch_api;
grant delete, select on service_versions to tidewatch_writer;

create table services (
  organization_id text not null,
  id text not null,
  host text collate "C" not null,
  tags jsonb not null default '{}'::jsonb,
  tags_at timestamp with time zone,
  first_seen timestamp with time zone not null,
  status text not null default 'healthy'::text,
  status_reasons jsonb not null default '[]'::jsonb,
  status_since timestamp with time zone not null,
  active_critical integer not null default 0,
  active_warning integer not null default 0,
  active_info integer not null default 0,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  status_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint services_pkey PRIMARY KEY (organization_id, id),
  constraint services_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=80);
alter table services owner to tidewatch_owner;
CREATE INDEX services_archived ON tidewatch.services USING btree (organization_id, host, id) WHERE ((deleted_at IS NULL) AND (archived_at IS NOT NULL));
CREATE UNIQUE INDEX services_by_host ON tidewatch.services USING btree (organization_id, host) WHERE (deleted_at IS NULL);
CREATE INDEX services_by_status ON tidewatch.services USING btree (organization_id, status, host, id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX services_by_status_at ON tidewatch.services USING btree (organization_id, status, status_at) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX services_by_status_since ON tidewatch.services USING btree (organization_id, status, status_since, id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
CREATE INDEX services_deleted_by_host ON tidewatch.services USING btree (organization_id, host, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX services_deleted_by_time ON tidewatch.services USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER blocks_listed AFTER UPDATE OF archived_at, deleted_at ON services FOR EACH ROW WHEN ((old.archived_at IS NULL AND old.deleted_at IS NULL) IS DISTINCT FROM (new.archived_at IS NULL AND new.deleted_at IS NULL)) EXECUTE FUNCTION list_blocks();
CREATE TRIGGER service_tags_counted_delete AFTER DELETE ON services REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_service_tags();
CREATE TRIGGER service_tags_counted_insert AFTER INSERT ON services REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_service_tags();
CREATE TRIGGER service_tags_counted_update AFTER UPDATE ON services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_service_tags();
CREATE TRIGGER service_versions_kept AFTER UPDATE ON services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_service_versions();
CREATE TRIGGER services_counted_delete AFTER DELETE ON services REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_services();
CREATE TRIGGER services_counted_insert AFTER INSERT ON services REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_services();
CREATE TRIGGER services_counted_update AFTER UPDATE ON services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_services();
CREATE TRIGGER services_listed_delete AFTER DELETE ON services FOR EACH ROW EXECUTE FUNCTION list_service();
CREATE TRIGGER services_listed_insert AFTER INSERT ON services FOR EACH ROW EXECUTE FUNCTION list_service();
CREATE TRIGGER services_listed_update AFTER UPDATE OF host, tags, archived_at, deleted_at ON services FOR EACH ROW WHEN (old.host IS DISTINCT FROM new.host OR old.tags IS DISTINCT FROM new.tags OR old.archived_at IS DISTINCT FROM new.archived_at OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION list_service();
CREATE TRIGGER services_status_timed BEFORE UPDATE OF status, archived_at, deleted_at ON services FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR (old.archived_at IS NULL) IS DISTINCT FROM (new.archived_at IS NULL) OR (old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL)) EXECUTE FUNCTION set_status_at();
CREATE TRIGGER services_tag_changes_kept AFTER UPDATE OF tags ON services FOR EACH ROW WHEN (old.tags_at IS NOT NULL AND new.tags_at IS NOT NULL AND old.tags IS DISTINCT FROM new.tags) EXECUTE FUNCTION keep_tag_change();
alter table services enable row level security;
create policy organization on services to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on services to tidewatch_evaluator using (true);
create policy tidewatch_investigator on services to tidewatch_investigator using (true);
create policy tidewatch_notifier on services to tidewatch_notifier using (true);
create policy tidewatch_writer on services to tidewatch_writer using (true);
grant insert, select, update on services to tidewatch_api;
grant insert, select, update on services to tidewatch_evaluator;
grant select on services to tidewatch_investigator;
grant select on services to tidewatch_notifier;
grant insert, select, update on services to tidewatch_writer;

create table sessions (
  organization_id text not null,
  id text not null,
  key_id text not null,
  token_sha256 bytea not null,
  kind text not null,
  name text,
  scopes text[] not null,
  user_agent text,
  address text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  confirmed_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (organization_id, id),
  constraint sessions_token_sha256_key UNIQUE (token_sha256),
  constraint sessions_organization_id_key_id_fkey FOREIGN KEY (organization_id, key_id) REFERENCES api_keys(organization_id, id) ON DELETE CASCADE,
  constraint sessions_kind_check CHECK (kind = ANY (ARRAY['person'::text, 'display'::text]))
) with (fillfactor=70);
alter table sessions owner to tidewatch_owner;
CREATE INDEX sessions_by_key ON tidewatch.sessions USING btree (organization_id, key_id);
CREATE INDEX sessions_listed ON tidewatch.sessions USING btree (organization_id, created_at, id);
CREATE TRIGGER sessions_changed AFTER DELETE OR UPDATE OF token_sha256, scopes, expires_at ON sessions FOR EACH STATEMENT EXECUTE FUNCTION sessions_changed();
alter table sessions enable row level security;
create policy organization on sessions to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant delete, insert, select, update on sessions to tidewatch_api;

create table sign_in_links (
  organization_id text not null,
  id text not null,
  key_id text not null,
  secret_sha256 bytea not null,
  kind text not null,
  name text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_links_pkey PRIMARY KEY (organization_id, id),
  constraint sign_in_links_secret_sha256_key UNIQUE (secret_sha256),
  constraint sign_in_links_organization_id_key_id_fkey FOREIGN KEY (organization_id, key_id) REFERENCES api_keys(organization_id, id) ON DELETE CASCADE,
  constraint sign_in_links_kind_check CHECK (kind = ANY (ARRAY['person'::text, 'display'::text]))
);
alter table sign_in_links owner to tidewatch_owner;
CREATE INDEX sign_in_links_by_end ON tidewatch.sign_in_links USING btree (organization_id, expires_at);
CREATE INDEX sign_in_links_by_key ON tidewatch.sign_in_links USING btree (organization_id, key_id);
alter table sign_in_links enable row level security;
create policy organization on sign_in_links to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant delete, insert, select, update on sign_in_links to tidewatch_api;

create table silences (
  organization_id text not null,
  id text not null,
  matchers jsonb not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  recurrence text,
  timezone text not null,
  comment text not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  created_by jsonb not null,
  ended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint silences_pkey PRIMARY KEY (organization_id, id),
  constraint silences_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
alter table silences owner to tidewatch_owner;
CREATE INDEX silences_ended ON tidewatch.silences USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX silences_listed ON tidewatch.silences USING btree (organization_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX silences_unended ON tidewatch.silences USING btree (ends_at) WHERE (ended_at IS NULL);
alter table silences enable row level security;
create policy organization on silences to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on silences to tidewatch_evaluator using (true);
create policy tidewatch_investigator on silences to tidewatch_investigator using (true);
create policy tidewatch_notifier on silences to tidewatch_notifier using (true);
create policy tidewatch_writer on silences to tidewatch_writer using (true);
grant insert, select, update on silences to tidewatch_api;
grant select, update on silences to tidewatch_evaluator;
grant select on silences to tidewatch_investigator;
grant select on silences to tidewatch_notifier;
grant delete, select on silences to tidewatch_writer;

create table snapshot_chunks (
  organization_id text not null,
  service_id text not null,
  first timestamp with time zone not null,
  last timestamp with time zone not null,
  seq bigint not null,
  containers integer not null,
  processes integer not null,
  data bytea not null storage e
) partition by RANGE (first);
alter table snapshot_chunks owner to tidewatch_owner;
CREATE INDEX snapshot_chunks_key ON ONLY tidewatch.snapshot_chunks USING btree (service_id, first);
CREATE INDEX snapshot_chunks_with_containers ON ONLY tidewatch.snapshot_chunks USING btree (service_id, first) WHERE (containers > 0);
alter table snapshot_chunks enable row level security;
create policy organization on snapshot_chunks to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on snapshot_chunks to tidewatch_evaluator using (true);
create policy tidewatch_investigator on snapshot_chunks to tidewatch_investigator using (true);
create policy tidewatch_writer on snapshot_chunks to tidewatch_writer using (true);
grant select on snapshot_chunks to tidewatch_api;
grant select on snapshot_chunks to tidewatch_evaluator;
grant select on snapshot_chunks to tidewatch_investigator;
grant delete, insert, select on snapshot_chunks to tidewatch_writer;

create table snapshot_log (
  organization_id text not null,
  bucket smallint not null,
  seq bigint not null,
  first timestamp with time zone not null,
  last timestamp with time zone not null,
  data bytea not null statistics 0 storage e
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=0);
alter table snapshot_log owner to tidewatch_owner;
CREATE INDEX snapshot_log_key ON tidewatch.snapshot_log USING btree (bucket, seq);
alter table snapshot_log enable row level security;
create policy organization on snapshot_log to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on snapshot_log to tidewatch_evaluator using (true);
create policy tidewatch_investigator on snapshot_log to tidewatch_investigator using (true);
create policy tidewatch_writer on snapshot_log to tidewatch_writer using (true);
grant select on snapshot_log to tidewatch_api;
grant select on snapshot_log to tidewatch_evaluator;
grant select on snapshot_log to tidewatch_investigator;
grant delete, insert, select on snapshot_log to tidewatch_writer;

create table snapshots (
  "time" timestamp with time zone not null,
  organization_id text not null,
  service_id text not null,
  containers jsonb,
  processes jsonb
) partition by RANGE ("time");
alter table snapshots owner to tidewatch_owner;
CREATE UNIQUE INDEX snapshots_key ON ONLY tidewatch.snapshots USING btree (organization_id, service_id, "time");
CREATE INDEX snapshots_with_containers ON ONLY tidewatch.snapshots USING btree (organization_id, service_id, "time") WHERE (containers IS NOT NULL);
alter table snapshots enable row level security;
create policy organization on snapshots to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_evaluator on snapshots to tidewatch_evaluator using (true);
create policy tidewatch_investigator on snapshots to tidewatch_investigator using (true);
create policy tidewatch_writer on snapshots to tidewatch_writer using (true);
grant select on snapshots to tidewatch_evaluator;
grant select on snapshots to tidewatch_investigator;
grant insert, select, update on snapshots to tidewatch_writer;

create table storage_backend (
  name text not null,
  decided_at timestamp with time zone not null default now(),
  only_row boolean not null default true,
  sample_layout text not null default 'rows'::text,
  is_converting boolean not null default false,
  constraint storage_backend_pkey PRIMARY KEY (only_row),
  constraint storage_backend_name_check CHECK (name = ANY (ARRAY['plain'::text, 'apache'::text, 'community'::text])),
  constraint storage_backend_only_row_check CHECK (only_row),
  constraint storage_backend_sample_layout_check CHECK (sample_layout = ANY (ARRAY['rows'::text, 'log'::text]))
);
alter table storage_backend owner to tidewatch_owner;
grant select on storage_backend to tidewatch_api;
grant select on storage_backend to tidewatch_evaluator;
grant select on storage_backend to tidewatch_investigator;
grant select on storage_backend to tidewatch_writer;

create table storage_sizes (
  hour timestamp with time zone not null,
  database_bytes bigint not null,
  constraint storage_sizes_pkey PRIMARY KEY (hour)
);
alter table storage_sizes owner to tidewatch_owner;
grant select on storage_sizes to tidewatch_api;
grant delete, insert, select, update on storage_sizes to tidewatch_writer;

create table tag_changes (
  organization_id text not null,
  service_id text not null,
  at timestamp with time zone not null,
  before jsonb not null,
  after jsonb not null,
  constraint tag_changes_pkey PRIMARY KEY (organization_id, service_id, at)
);
alter table tag_changes owner to tidewatch_owner;
CREATE INDEX tag_changes_by_time ON tidewatch.tag_changes USING btree (at);
CREATE INDEX tag_changes_listed ON tidewatch.tag_changes USING btree (organization_id, at);
alter table tag_changes enable row level security;
create policy organization on tag_changes to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
create policy tidewatch_investigator on tag_changes to tidewatch_investigator using (true);
create policy tidewatch_writer on tag_changes to tidewatch_writer using (true);
grant select on tag_changes to tidewatch_api;
grant select on tag_changes to tidewatch_investigator;
grant delete, select on tag_changes to tidewatch_writer;

create table unreadable_records (
  topic text not null,
  partition integer not null,
  "offset" bigint not null,
  at timestamp with time zone not null default clock_timestamp(),
  reason text not null,
  constraint unreadable_records_pkey PRIMARY KEY (topic, partition, "offset")
);
alter table unreadable_records owner to tidewatch_owner;
CREATE INDEX unreadable_records_by_time ON tidewatch.unreadable_records USING btree (at);
grant select on unreadable_records to tidewatch_api;
grant insert, select on unreadable_records to tidewatch_evaluator;
grant delete, insert, select on unreadable_records to tidewatch_writer;

CREATE OR REPLACE FUNCTION tidewatch.active_series(organization text, since timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select coalesce(sum(active.series), 0)::bigint
  from (
    select cardinality(b.metrics) as series
    from services s
    join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
    join block_latest l on l.block_id = b.id
    where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
      and s.deleted_at is null and b.subject_kind <> 'part' and l.applied_at >= since
    union all
    select (select count(*) from unnest(l.parts, l.times) as t (part, at) where t.at >= since and t.part is not null)
    from services s
    join part_latest l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
      and s.deleted_at is null and l.applied_at >= since
  ) active
$function$;
alter function active_series(text,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.add_up_metric_counts()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(8230, 5) then
    return;
  end if;
  with taken as (delete from metric_count_changes returning *)
  merge into metric_counts as c
  using (
    select organization_id, metric, sum(services)::bigint as services from taken group by 1, 2 having sum(services) <> 0
  ) t
  on (c.organization_id, c.metric) = (t.organization_id, t.metric)
  when matched and c.services + t.services = 0 then delete
  when matched then update set services = c.services + t.services
  when not matched then insert values (t.organization_id, t.metric, t.services);
end $function$;
alter function add_up_metric_counts() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.alert_count_keys(rule_id text, fired_at timestamp with time zone, id text)
 RETURNS TABLE(tier text, bucket timestamp with time zone, part text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  values ('rule', timestamptz '-infinity', rule_id),
    ('1d', date_bin('1 day', fired_at, timestamptz 'epoch'), ''),
    ('1h', date_bin('1 hour', fired_at, timestamptz 'epoch'), ''),
    ('1m', date_bin('1 minute', fired_at, timestamptz 'epoch'), ''),
    ('id', fired_at, left(id, 15))
$function$;
alter function alert_count_keys(text,timestamp with time zone,text) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_alert_runs(organization text, minute timestamp with time zone, changes alert_count_changes[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
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
end $function$;
alter function count_alert_runs(text,timestamp with time zone,alert_count_changes[]) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
alter function count_alerts() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  insert into audit_counts
    select organization_id, (at at time zone 'UTC')::date, action, object_type, count(*) from new_rows group by 1, 2, 3, 4;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (
    select count(*) from audit_counts
    where organization_id = (select organization_id from new_rows limit 1)
      and day = (select (at at time zone 'UTC')::date from new_rows limit 1)
  ) > 200 and pg_try_advisory_xact_lock(8230, 8) then
    with taken as (
      delete from audit_counts
      where (organization_id, day) in (select organization_id, (at at time zone 'UTC')::date from new_rows) returning *
    )
    insert into audit_counts select organization_id, day, action, object_type, sum(count) from taken group by 1, 2, 3, 4;
  end if;
  return null;
end $function$;
alter function count_audit() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_channels_sealed_otherwise(sealed_with text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select count(*)::integer from channels where deleted_at is null and key_id <> sealed_with
$function$;
alter function count_channels_sealed_otherwise(text) owner to tidewatch_owner;
-- called by tidewatch_api, tidewatch_notifier

CREATE OR REPLACE FUNCTION tidewatch.count_investigations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, count(*)
      from new_rows group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, -count(*)
      from old_rows group by 1, 2, 3, 4, 5;
    return null;
  else
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, (created_at at time zone 'UTC')::date, status, conclusion, severity, sum(n)
      from (
        select 1 as n, organization_id, created_at, status, conclusion, severity from new_rows
        union all select -1, organization_id, created_at, status, conclusion, severity from old_rows
      ) c
      group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  end if;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (
    select count(*) from investigation_counts
    where organization_id = (select organization_id from new_rows limit 1)
      and day = (select (created_at at time zone 'UTC')::date from new_rows limit 1)
  ) > 200 and pg_try_advisory_xact_lock(8230, 7) then
    with taken as (
      delete from investigation_counts
      where (organization_id, day) in (select organization_id, (created_at at time zone 'UTC')::date from new_rows) returning *
    )
    insert into investigation_counts (organization_id, day, status, conclusion, severity, count)
      select organization_id, day, status, conclusion, severity, sum(count)
      from taken group by 1, 2, 3, 4, 5 having sum(count) <> 0;
  end if;
  return null;
end $function$;
alter function count_investigations() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_metrics()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into metric_count_changes
      select r.organization_id, m.name, count(*)
      from new_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into metric_count_changes
      select r.organization_id, m.name, -count(*)
      from old_rows r cross join lateral unnest(r.metrics) as m (name)
      where r.listed and r.subject_kind = 'host' and m.name <> '' group by 1, 2;
  else
    insert into metric_count_changes
      select c.organization_id, m.name, sum(c.n)
      from (select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r) c
      cross join lateral unnest(c.metrics) as m (name)
      where c.listed and c.subject_kind = 'host' and m.name <> ''
      group by 1, 2 having sum(c.n) <> 0;
  end if;
  if found then
    perform add_up_metric_counts();
  end if;
  return null;
end $function$;
alter function count_metrics() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into notification_counts select organization_id, status, count(*) from new_rows group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into notification_counts select organization_id, status, -count(*) from old_rows group by 1, 2;
    return null;
  else
    insert into notification_counts
      select organization_id, status, sum(n)
      from (select 1 as n, organization_id, status from new_rows union all select -1, organization_id, status from old_rows) c
      group by 1, 2 having sum(n) <> 0;
  end if;
  if not found or current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  if (select count(*) from notification_counts where organization_id = any(array(select organization_id from new_rows limit 1))) > 100
    and pg_try_advisory_xact_lock(8230, 6) then
    with taken as (
      delete from notification_counts where organization_id = any(array(select organization_id from new_rows)) returning *
    )
    insert into notification_counts select organization_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $function$;
alter function count_notifications() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_open_sessions(used_after timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select count(*)::integer
  from sessions s join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
  where s.expires_at > now() and (s.kind = 'display' or s.last_used_at > used_after)
    and (k.revoked_at is null or k.revoked_at > now()) and (k.expires_at is null or k.expires_at > now())
$function$;
alter function count_open_sessions(timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.count_part_metric_services()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  insert into metric_count_changes
    select organization_id, metric, case tg_op when 'INSERT' then count(*) else -count(*) end from changed_rows group by 1, 2;
  return null;
end $function$;
alter function count_part_metric_services() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_part_metrics()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into part_metrics as k
      select r.organization_id, p.kind || '.' || m.name, r.service_id, count(*)::integer
      from new_rows r
      cross join lateral unnest(r.metrics, r.parts) as m (name, part)
      join parts p on p.organization_id = r.organization_id and p.id = m.part
      where r.listed and r.subject_kind = 'part' group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  elsif tg_op = 'DELETE' then
    insert into part_metrics as k
      select r.organization_id, p.kind || '.' || m.name, r.service_id, -count(*)::integer
      from old_rows r
      cross join lateral unnest(r.metrics, r.parts) as m (name, part)
      join parts p on p.organization_id = r.organization_id and p.id = m.part
      where r.listed and r.subject_kind = 'part' group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  else
    insert into part_metrics as k
      select c.organization_id, p.kind || '.' || m.name, c.service_id, sum(c.n)::integer
      from (select 1 as n, r.* from new_rows r union all select -1, r.* from old_rows r) c
      cross join lateral unnest(c.metrics, c.parts) as m (name, part)
      join parts p on p.organization_id = c.organization_id and p.id = m.part
      where c.listed and c.subject_kind = 'part' group by 1, 2, 3 having sum(c.n) <> 0 order by 1, 2, 3
      on conflict (organization_id, metric, service_id) do update set series = k.series + excluded.series;
  end if;
  if found then
    perform add_up_metric_counts();
  end if;
  return null;
end $function$;
alter function count_part_metrics() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_service_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into service_tag_count_changes
      select r.organization_id, t.key, t.value, r.status, count(*)
      from new_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into service_tag_count_changes
      select r.organization_id, t.key, t.value, r.status, -count(*)
      from old_rows r cross join lateral jsonb_each_text(r.tags) t
      where r.deleted_at is null and r.archived_at is null group by 1, 2, 3, 4;
  else
    insert into service_tag_count_changes
      select e.organization_id, t.key, t.value, e.status, sum(e.n)
      from (
        select organization_id, status, tags, sum(n) as n
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
      select organization_id, name, value, status, sum(count)::bigint as count
      from taken group by 1, 2, 3, 4 having sum(count) <> 0
    ) t
    on (c.organization_id, c.name, c.value, c.status) = (t.organization_id, t.name, t.value, t.status)
    when matched and c.count + t.count = 0 then delete
    when matched then update set count = c.count + t.count
    when not matched then insert values (t.organization_id, t.name, t.value, t.status, t.count);
  end if;
  return null;
end $function$;
alter function count_service_tags() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.count_services()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, count(*)
      from new_rows where deleted_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, -count(*)
      from old_rows where deleted_at is null group by 1, 2;
  else
    insert into service_counts
      select organization_id, case when archived_at is null then status else 'archived' end, sum(n)
      from (select 1 as n, r.* from new_rows r union all select -1, o.* from old_rows o) c
      where deleted_at is null group by 1, 2 having sum(n) <> 0;
  end if;
  if not found then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed'
    and (select count(*) from service_counts) > 100 and pg_try_advisory_xact_lock(8230, 3) then
    with taken as (delete from service_counts returning *)
    insert into service_counts select organization_id, status, sum(count) from taken group by 1, 2 having sum(count) <> 0;
  end if;
  return null;
end $function$;
alter function count_services() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.divide_alerts(organization text, of_tier text, starts timestamp with time zone, starts_part text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
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
end $function$;
alter function divide_alerts(text,text,timestamp with time zone,text) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.drop_packed_partitions(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  child record;
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days', 'snapshot_chunks') then
    raise exception 'not a table of packed samples or snapshots: %', parent;
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
end $function$;
alter function drop_packed_partitions(text,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.drop_part_metric()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  delete from part_metrics
    where organization_id = new.organization_id and metric = new.metric and service_id = new.service_id and series <= 0;
  return null;
end $function$;
alter function drop_part_metric() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.drop_partitions(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
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
end $function$;
alter function drop_partitions(text,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.ensure_packed_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  child text := parent || '_' || to_char(lower_bound, 'YYYYMMDD');
begin
  if parent not in ('sample_chunks', 'sample_days', 'packed_minutes', 'packed_hours', 'packed_days', 'snapshot_chunks') then
    raise exception 'not a table of packed samples or snapshots: %', parent;
  end if;
  if to_regclass('tidewatch.' || child) is not null then
    return false;
  end if;
  execute format('create table %I (like %I including storage)', child, parent);
  execute format('alter table %I alter data set statistics 0', child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, child, lower_bound::date, upper_bound::date);
  return true;
exception when duplicate_table or unique_violation then
  return false;
end $function$;
alter function ensure_packed_partition(text,timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.ensure_partition(parent text, lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  child text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
begin
  if parent not in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots') then
    raise exception 'not a partitioned table of the product: %', parent;
  end if;
  if to_regclass('tidewatch.' || child) is not null then
    return false;
  end if;
  -- Attaching a table that was created apart locks readers and writers of the parent less than "partition of" does.
  execute format('create table %I (like %I)', child, parent);
  if parent <> 'snapshots' then
    perform leave_values_unanalyzed(child::regclass);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, lower_bound, upper_bound);
  return true;
exception when duplicate_table or unique_violation then
  return false;
end $function$;
alter function ensure_partition(text,timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_writer

CREATE OR REPLACE FUNCTION tidewatch.find_key(digest bytea)
 RETURNS TABLE(id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[], expires_at timestamp with time zone, revoked_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at
  from api_keys k where k.secret_sha256 = digest
$function$;
alter function find_key(bytea) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.find_session(digest bytea)
 RETURNS TABLE(id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[], expires_at timestamp with time zone, revoked_at timestamp with time zone, session_id text, kind text, session_scopes text[], last_used_at timestamp with time zone, confirmed_until timestamp with time zone, session_expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at, s.id, s.kind, s.scopes,
    s.last_used_at, s.confirmed_until, s.expires_at
  from sessions s join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
  where s.token_sha256 = digest
$function$;
alter function find_session(bytea) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.find_sign_in_link(digest bytea)
 RETURNS TABLE(id text, organization_id text, name text, scopes text[], rate_limit_per_minute integer, hosts text[], expires_at timestamp with time zone, revoked_at timestamp with time zone, link_id text, kind text, link_name text, link_scopes text[], link_expires_at timestamp with time zone, used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select k.id, k.organization_id, k.name, k.scopes, k.rate_limit_per_minute, k.hosts, k.expires_at, k.revoked_at, l.id, l.kind, l.name,
    l.scopes, l.expires_at, l.used_at
  from sign_in_links l join api_keys k on k.organization_id = l.organization_id and k.id = l.key_id
  where l.secret_sha256 = digest
$function$;
alter function find_sign_in_link(bytea) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.hide_chunks()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  granted record;
  hidden record;
  backend constant text := (select name from storage_backend);
begin
  -- Columns of a relation with columnstore can be granted only past TimescaleDB, which hands such a grant to a relation
  -- without these columns; and only a superuser gets past it. Where that fails, everything stays as it is.
  begin
    perform set_config('timescaledb.restoring', 'on', true) where backend = 'community';
    for granted in
      select c.relname, g.rolname, string_agg(format('%s (%s)', a.privilege, c.columns), ', ')
        filter (where a.privilege <> 'DELETE') as privileges
      from (
        select c.relname, c.relacl, c.relowner,
          (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
            where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
        from pg_class c
        where c.relnamespace = 'tidewatch'::regnamespace and c.relkind = 'r'
          and c.relname in ('samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots')
      ) c
      cross join lateral (
        select grantee, privilege_type as privilege from aclexplode(c.relacl)
        where grantee <> c.relowner and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
      ) a
      join pg_roles g on g.oid = a.grantee
      group by 1, 2
    loop
      execute format('revoke select, insert, update, delete on %I from %I', granted.relname, granted.rolname);
      execute format('grant %s on %I to %I', granted.privileges, granted.relname, granted.rolname);
    end loop;
    perform set_config('timescaledb.restoring', 'off', true) where backend = 'community';
  exception when others then
    if backend <> 'community' then
      raise;
    end if;
    raise warning 'chunks can be read by their names, which takes a superuser to end in TimescaleDB Community: %', sqlerrm;
    return;
  end;
  for hidden in
    select distinct c.relname, g.rolname
    from pg_class c
    join pg_roles o on o.oid = c.relowner and o.rolname in ('tidewatch_owner', 'tidewatch_rollups')
    cross join lateral (
      select grantee from aclexplode(c.relacl)
      union select a.grantee from pg_attribute t cross join lateral aclexplode(t.attacl) a where t.attrelid = c.oid
    ) a
    join pg_roles g on g.oid = a.grantee and g.oid <> c.relowner
    where c.relnamespace = to_regnamespace('_timescaledb_internal') and c.relkind in ('r', 'v')
  loop
    execute format('revoke all on _timescaledb_internal.%I from %I', hidden.relname, hidden.rolname);
  end loop;
end $function$;
alter function hide_chunks() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.isolate_organizations()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  relation record;
  worker name;
begin
  for relation in
    select c.oid, c.relname, case c.relname when 'organizations' then 'id' else 'organization_id' end as key
    from pg_class c
    where c.relnamespace = 'tidewatch'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'organizations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
    order by c.relname
  loop
    execute format('alter table %I enable row level security', relation.relname);
    if not exists (select from pg_policy where polrelid = relation.oid and polname = 'organization') then
      execute format(
        'create policy organization on %I to tidewatch_api using (%I = current_setting(''tidewatch.organization'', true))',
        relation.relname, relation.key);
    end if;
    for worker in
      select distinct g.rolname
      from (
        select (aclexplode(c.relacl)).grantee from pg_class c where c.oid = relation.oid
        union select (aclexplode(a.attacl)).grantee from pg_attribute a where a.attrelid = relation.oid
      ) granted
      join pg_roles g on g.oid = granted.grantee
      where g.rolname not in ('tidewatch_owner', 'tidewatch_api')
        and not exists (select from pg_policy p where p.polrelid = relation.oid and p.polname = g.rolname)
    loop
      execute format('create policy %I on %I to %I using (true)', worker, relation.relname, worker);
    end loop;
  end loop;
end $function$;
alter function isolate_organizations() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.keep_alert_versions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
begin
  insert into alert_versions (organization_id, alert_id, until, created_at, span, status, state, severity, rule_version, condition,
    threshold, threshold_max, value, peak_value, flap_count, resolved_at, resolution, acknowledged_at, acknowledged_by, silenced_by,
    comments, investigation_id, updated_at)
  select o.organization_id, o.id, e.until, o.created_at, version_span(o.created_at, e.until),
    o.status, o.state, o.severity, o.rule_version, o.condition, o.threshold, o.threshold_max, o.value, o.peak_value,
    o.flap_count, o.resolved_at, o.resolution, o.acknowledged_at, o.acknowledged_by, o.silenced_by, o.comments,
    o.investigation_id, o.updated_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  cross join lateral (select case when n.updated_at > o.updated_at then n.updated_at else clock_timestamp() end as until) e
  -- Values between two transitions are written often, and are not worth a version.
  where (o.status, o.state, o.severity, o.rule_version, o.acknowledged_at, o.silenced_by, o.comments, o.investigation_id)
    is distinct from
    (n.status, n.state, n.severity, n.rule_version, n.acknowledged_at, n.silenced_by, n.comments, n.investigation_id);
  return null;
end $function$;
alter function keep_alert_versions() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.keep_part_versions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
begin
  insert into part_versions (organization_id, part_id, until, listed, gone)
  select o.organization_id, o.id, clock_timestamp(), o.listed, o.gone
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  where (o.listed, o.gone) is distinct from (n.listed, n.gone);
  return null;
end $function$;
alter function keep_part_versions() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.keep_service_versions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
begin
  insert into service_versions (organization_id, service_id, until, is_listing, status_from, span, tags, status, status_reasons,
    status_since, active_critical, active_warning, active_info, archived_at)
  select o.organization_id, o.id, case when e.is_end then n.status_at else clock_timestamp() end,
    (o.tags, o.archived_at, o.deleted_at) is distinct from (n.tags, n.archived_at, n.deleted_at)
      or o.status = n.status and o.status_since <> n.status_since,
    case when e.was_listed then greatest(o.status_at, o.first_seen) end,
    case when e.was_listed then version_span(greatest(o.status_at, o.first_seen), n.status_at) end,
    o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
  cross join lateral (
    select n.status_at > o.status_at as is_end,
      n.status_at > o.status_at and o.archived_at is null and o.deleted_at is null as was_listed
  ) e
  where (o.tags, o.status, o.status_reasons, o.status_since, o.active_critical, o.active_warning, o.active_info,
      o.archived_at, o.deleted_at)
    is distinct from (n.tags, n.status, n.status_reasons, n.status_since, n.active_critical, n.active_warning,
      n.active_info, n.archived_at, n.deleted_at);
  return null;
end $function$;
alter function keep_service_versions() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.keep_tag_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  update tag_changes c set after = new.tags
  where c.organization_id = new.organization_id and c.service_id = new.id
    and c.at > new.tags_at - interval '1 minute' and c.at <= new.tags_at;
  if not found then
    insert into tag_changes (organization_id, service_id, at, before, after)
      values (new.organization_id, new.id, new.tags_at, old.tags, new.tags);
  end if;
  return null;
end $function$;
alter function keep_tag_change() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.keys_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  update revisions set revision = revision + 1 where name = 'keys';
  return null;
end $function$;
alter function keys_changed() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.known_parts(organization text, hosts text[], since timestamp with time zone)
 RETURNS TABLE(host text, kind text, name text, metric text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select s.host, p.kind, p.name, m.metric
  from services s
  join part_latest l on l.organization_id = s.organization_id and l.service_id = s.id
  cross join lateral unnest(l.parts, l.metrics, l.times) as m (part, metric, at)
  join parts p on p.organization_id = l.organization_id and p.id = m.part
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since and m.at >= since
$function$;
alter function known_parts(text,text[],timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.known_series(organization text, hosts text[], since timestamp with time zone)
 RETURNS TABLE(host text, container text, metrics text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select s.host, case when b.subject_kind = 'container' then b.subject_name end, b.metrics
  from services s
  join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
  join block_latest l on l.block_id = b.id
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and l.applied_at >= since and b.subject_kind in ('host', 'container')
$function$;
alter function known_series(text,text[],timestamp with time zone) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.latest_of(service text)
 RETURNS TABLE(metric text, container text, part text, "time" timestamp with time zone, value double precision)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'tidewatch', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
#variable_conflict use_column
declare
  organization constant text := require_reader_organization();
  found_service constant text := (
    select s.id from services s
    where s.organization_id = organization and s.deleted_at is null and (s.id = service or s.host = service)
    order by s.id = service desc limit 1);
  tail text := '';
begin
  if (select sample_layout from storage_backend) = 'log' then
    tail := 'union all
      select u.block_id, u.slot, to_timestamp(u.at / 1000), u.value, u.seq, u.place
      from sample_log l cross join lateral unnest($3) a (id)
      cross join lateral unpack_log_row(l.data || ''''::bytea, a.id, null, null) u
      where l.organization_id = $1 and l.bucket in (-1, -2 - (log_bucket($2) >> 4), log_bucket($2))';
  end if;
  return query execute format('
    with latest as (
      select l.block_id, v.place::integer - 1 as slot, v."time", v.value, -1::bigint as seq, 0 as place
      from blocks b join block_latest l on l.block_id = b.id
      cross join lateral unnest(l.times, l.vals) with ordinality as v ("time", value, place)
      where b.organization_id = $1 and b.service_id = $2 and v."time" > ''-infinity'' and v.value is not null
      %s
    ),
    newest as (
      select distinct on (l.block_id, l.slot) l.* from latest l order by l.block_id, l.slot, l."time" desc, l.seq desc, l.place desc
    )
    select b.metrics[n.slot + 1]::text, case b.subject_kind when ''container'' then b.subject_name::text end,
      (p.kind || '':'' || p.name)::text, n."time", n.value
    from newest n join blocks b on b.id = n.block_id and b.organization_id = $1
    left join parts p on p.organization_id = $1 and b.subject_kind = ''part'' and p.id = b.parts[n.slot + 1]
    where b.metrics[n.slot + 1] <> '''' order by 2 nulls first, 3 nulls first, 1', tail)
    using organization, found_service, array(
      select distinct on (b.subject_kind, b.subject_name) b.id::bigint from blocks b
      where b.organization_id = organization and b.service_id = found_service
      order by b.subject_kind, b.subject_name, b.ordinal);
end $function$;
alter function latest_of(text) owner to tidewatch_owner;
-- called by tidewatch_reader

CREATE OR REPLACE FUNCTION tidewatch.leave_values_unanalyzed(partition regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  execute (
    select format('alter table %s %s', partition, string_agg(format('alter %I set statistics 0', attname), ', '))
    from pg_attribute where attrelid = partition and attname ~ '^(v|sum|cnt|min|max)[0-9]+$' and not attisdropped
  );
end $function$;
alter function leave_values_unanalyzed(regclass) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.list_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  stays boolean := new.deleted_at is null and new.archived_at is null;
begin
  update blocks set listed = stays where organization_id = new.organization_id and service_id = new.id and listed <> stays;
  update parts set listed = stays where organization_id = new.organization_id and service_id = new.id and listed <> stays;
  return null;
end $function$;
alter function list_blocks() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.list_service()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  was boolean := tg_op <> 'INSERT' and old.deleted_at is null and old.archived_at is null;
  stays boolean := tg_op <> 'DELETE' and new.deleted_at is null and new.archived_at is null;
  is_same boolean := was and stays and old.host = new.host;
  before jsonb := case when was then old.tags else '{}' end;
  after jsonb := case when stays then new.tags else '{}' end;
begin
  if was and not is_same then
    delete from service_names where organization_id = old.organization_id and host = old.host and id = old.id;
  end if;
  if stays and not is_same then
    insert into service_names (organization_id, host, id, first_seen) values (new.organization_id, new.host, new.id, new.first_seen);
  end if;
  if was then
    delete from service_tags t using jsonb_each_text(before) b
    where t.organization_id = old.organization_id and t.name = b.key and t.value = b.value and t.host = old.host and t.id = old.id
      and (not is_same or after ->> b.key is distinct from b.value);
  end if;
  if stays then
    insert into service_tags select new.organization_id, a.key, a.value, new.host, new.id from jsonb_each_text(after) a
    where not is_same or before ->> a.key is distinct from a.value;
  end if;
  return null;
end $function$;
alter function list_service() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.log_bucket(service_id text)
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  hash bigint := 2166136261;
begin
  for place in 1 .. length(service_id) loop
    hash := ((hash # ascii(substr(service_id, place, 1))) * 16777619) & 4294967295;
  end loop;
  return (hash # (hash >> 8) # (hash >> 16) # (hash >> 24)) & 255;
end $function$;
alter function log_bucket(text) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.note_key_uses(uses jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
declare
  bound constant text := current_setting('tidewatch.organization', true);
begin
  perform 1 from api_keys k
  join jsonb_to_recordset(uses) as u (organization_id text, key_id text) on k.organization_id = u.organization_id and k.id = u.key_id
  where k.organization_id = bound
  order by k.organization_id, k.id for no key update of k;
  update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
  from jsonb_to_recordset(uses) as u (organization_id text, key_id text, at timestamptz)
  where k.organization_id = u.organization_id and k.id = u.key_id and k.organization_id = bound;
  insert into key_hosts as known (organization_id, key_id, host, last_used_at)
    select k.organization_id, k.id, h.host, max(u.at)
    from jsonb_to_recordset(uses) as u (organization_id text, key_id text, at timestamptz, hosts jsonb)
    join api_keys k on k.organization_id = u.organization_id and k.id = u.key_id
    cross join lateral jsonb_array_elements_text(u.hosts) as h (host)
    where k.organization_id = bound
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, key_id, host) do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at);
  delete from key_hosts old
  using (
    select h.organization_id, h.key_id, h.host,
      row_number() over (partition by h.organization_id, h.key_id order by h.last_used_at desc, h.host) as place
    from key_hosts h
    join jsonb_to_recordset(uses) as u (organization_id text, key_id text) on h.organization_id = u.organization_id and h.key_id = u.key_id
    where h.organization_id = bound
  ) ranked
  where ranked.place > 100
    and old.organization_id = ranked.organization_id and old.key_id = ranked.key_id and old.host = ranked.host;
end $function$;
alter function note_key_uses(jsonb) owner to tidewatch_owner;
-- called by tidewatch_api

CREATE OR REPLACE FUNCTION tidewatch.packed_checksum(data bytea)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  -- The remainders of a byte.
  remainders constant bigint[] := array[
    0, 1996959894, 3993919788, 2567524794, 124634137, 1886057615, 3915621685, 2657392035, 249268274, 2044508324, 3772115230, 2547177864,
    162941995, 2125561021, 3887607047, 2428444049, 498536548, 1789927666, 4089016648, 2227061214, 450548861, 1843258603, 4107580753, 2211677639,
    325883990, 1684777152, 4251122042, 2321926636, 335633487, 1661365465, 4195302755, 2366115317, 997073096, 1281953886, 3579855332, 2724688242,
    1006888145, 1258607687, 3524101629, 2768942443, 901097722, 1119000684, 3686517206, 2898065728, 853044451, 1172266101, 3705015759, 2882616665,
    651767980, 1373503546, 3369554304, 3218104598, 565507253, 1454621731, 3485111705, 3099436303, 671266974, 1594198024, 3322730930, 2970347812,
    795835527, 1483230225, 3244367275, 3060149565, 1994146192, 31158534, 2563907772, 4023717930, 1907459465, 112637215, 2680153253, 3904427059,
    2013776290, 251722036, 2517215374, 3775830040, 2137656763, 141376813, 2439277719, 3865271297, 1802195444, 476864866, 2238001368, 4066508878,
    1812370925, 453092731, 2181625025, 4111451223, 1706088902, 314042704, 2344532202, 4240017532, 1658658271, 366619977, 2362670323, 4224994405,
    1303535960, 984961486, 2747007092, 3569037538, 1256170817, 1037604311, 2765210733, 3554079995, 1131014506, 879679996, 2909243462, 3663771856,
    1141124467, 855842277, 2852801631, 3708648649, 1342533948, 654459306, 3188396048, 3373015174, 1466479909, 544179635, 3110523913, 3462522015,
    1591671054, 702138776, 2966460450, 3352799412, 1504918807, 783551873, 3082640443, 3233442989, 3988292384, 2596254646, 62317068, 1957810842,
    3939845945, 2647816111, 81470997, 1943803523, 3814918930, 2489596804, 225274430, 2053790376, 3826175755, 2466906013, 167816743, 2097651377,
    4027552580, 2265490386, 503444072, 1762050814, 4150417245, 2154129355, 426522225, 1852507879, 4275313526, 2312317920, 282753626, 1742555852,
    4189708143, 2394877945, 397917763, 1622183637, 3604390888, 2714866558, 953729732, 1340076626, 3518719985, 2797360999, 1068828381, 1219638859,
    3624741850, 2936675148, 906185462, 1090812512, 3747672003, 2825379669, 829329135, 1181335161, 3412177804, 3160834842, 628085408, 1382605366,
    3423369109, 3138078467, 570562233, 1426400815, 3317316542, 2998733608, 733239954, 1555261956, 3268935591, 3050360625, 752459403, 1541320221,
    2607071920, 3965973030, 1969922972, 40735498, 2617837225, 3943577151, 1913087877, 83908371, 2512341634, 3803740692, 2075208622, 213261112,
    2463272603, 3855990285, 2094854071, 198958881, 2262029012, 4057260610, 1759359992, 534414190, 2176718541, 4139329115, 1873836001, 414664567,
    2282248934, 4279200368, 1711684554, 285281116, 2405801727, 4167216745, 1634467795, 376229701, 2685067896, 3608007406, 1308918612, 956543938,
    2808555105, 3495958263, 1231636301, 1047427035, 2932959818, 3654703836, 1088359270, 936918000, 2847714899, 3736837829, 1202900863, 817233897,
    3183342108, 3401237130, 1404277552, 615818150, 3134207493, 3453421203, 1423857449, 601450431, 3009837614, 3294710456, 1567103746, 711928724,
    3020668471, 3272380065, 1510334235, 755167117
  ];
  rest bigint := 4294967295;
begin
  if current_setting('server_version_num')::integer >= 180000 then
    return crc32(data);
  end if;
  for at in 0 .. length(data) - 1 loop
    rest := (rest >> 8) # remainders[((rest # get_byte(data, at)) & 255) + 1];
  end loop;
  return rest # 4294967295;
end $function$;
alter function packed_checksum(bytea) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_double(data bytea, at integer)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  exponent constant integer := ((get_byte(data, at + 7) & 127) << 4) | (get_byte(data, at + 6) >> 4);
  fraction constant bigint := get_byte(data, at) | (get_byte(data, at + 1) << 8) | (get_byte(data, at + 2) << 16)
    | (get_byte(data, at + 3)::bigint << 24) | (get_byte(data, at + 4)::bigint << 32) | (get_byte(data, at + 5)::bigint << 40)
    | ((get_byte(data, at + 6) & 15)::bigint << 48);
  magnitude double precision;
begin
  if exponent = 2047 then
    raise data_corrupted using message = 'a packed number is not finite';
  end if;
  -- Powers of two and products with them are exact.
  magnitude := case when exponent = 0 then fraction::float8 * power(2::float8, -1074)
    else (1 + fraction::float8 / 4503599627370496) * power(2::float8, exponent - 1023) end;
  return case when get_byte(data, at + 7) > 127 then -magnitude else magnitude end;
end $function$;
alter function packed_double(bytea,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_head(data bytea, OUT head_start integer, OUT head_end integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  read record;
begin
  if length(data) < 6 then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  if get_byte(data, 0) <> 1 then
    raise data_corrupted using message = format('packed bytes of the unknown version %s', get_byte(data, 0));
  end if;
  read := packed_varint(data, 5, length(data));
  if read.next + read.value > length(data) then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  head_start := read.next;
  head_end := read.next + read.value;
  if packed_checksum(substring(data from 6 for head_end - 5)) <> packed_uint32(data, 1) then
    raise data_corrupted using message = 'a packed head differs from its checksum';
  end if;
end $function$;
alter function packed_head(bytea) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_integers(data bytea, at integer, stop integer, total integer, factor double precision, OUT numbers double precision[], OUT next integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  read record;
  initial bigint;
  step bigint;
  divisor bigint;
  starts integer[] := '{}';
  widths integer[] := '{}';
  width integer;
  begun integer := 0;
begin
  next := at;
  if total = 0 then
    numbers := '{}';
    return;
  end if;
  read := packed_varint(data, next, stop);
  initial := packed_signed(read.value);
  read := packed_varint(data, read.next, stop);
  step := packed_signed(read.value);
  read := packed_varint(data, read.next, stop);
  divisor := read.value;
  next := read.next;
  if divisor = 0 then
    numbers := array(select (initial + step * n)::float8 / factor from generate_series(0::bigint, total - 1) n order by n);
    return;
  end if;
  while begun < total - 1 loop
    if next >= stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    width := get_byte(data, next);
    if width not in (0, 1, 2, 3, 4, 8) then
      raise data_corrupted using message = 'a packed frame has an unknown width';
    end if;
    starts := starts || (next + 1);
    widths := widths || width;
    next := next + 1 + width * least(64, total - 1 - begun);
    begun := begun + 64;
  end loop;
  if next > stop then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  numbers := array(
    select (initial + sum(d.distance) over (order by d.n rows unbounded preceding)) / factor
    from (
      select 0::bigint as n, 0::float8 as distance
      union all
      select (f.n - 1) * 64 + k + 1, step + divisor * (case f.width
        when 0 then 0
        when 1 then (get_byte(data, f.start + k) # 128) - 128
        when 2 then ((get_byte(data, f.start + k * 2) | (get_byte(data, f.start + k * 2 + 1) << 8)) # 32768) - 32768
        when 3 then ((get_byte(data, f.start + k * 3) | (get_byte(data, f.start + k * 3 + 1) << 8)
          | (get_byte(data, f.start + k * 3 + 2) << 16)) # 8388608) - 8388608
        when 4 then get_byte(data, f.start + k * 4) | (get_byte(data, f.start + k * 4 + 1) << 8)
          | (get_byte(data, f.start + k * 4 + 2) << 16) | (get_byte(data, f.start + k * 4 + 3) << 24)
        else packed_uint32(data, f.start + k * 8) | (packed_uint32(data, f.start + k * 8 + 4) << 32)
      end)::float8
      from unnest(starts, widths) with ordinality as f (start, width, n) cross join generate_series(0, 63) k
      where (f.n - 1) * 64 + k < total - 1
    ) d
    order by d.n
  );
end $function$;
alter function packed_integers(bytea,integer,integer,integer,double precision) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_numbers(data bytea, at integer, stop integer, total integer, OUT numbers double precision[], OUT next integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  kind integer;
  bits bytea;
  taken integer := total;
  dense double precision[];
  read record;
begin
  if at >= stop then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  kind := get_byte(data, at);
  next := at + 1;
  if kind > 15 then
    raise data_corrupted using message = 'packed numbers are of an unknown kind';
  end if;
  if kind & 8 <> 0 then
    bits := substring(data from next + 1 for (total + 7) / 8);
    next := next + (total + 7) / 8;
    if next > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    taken := bit_count(bits);
    if total % 8 <> 0 and get_byte(bits, length(bits) - 1) >> (total % 8) <> 0 then
      raise data_corrupted using message = 'a packed number lies behind the last row';
    end if;
  end if;
  if kind & 7 = 7 then
    if next + taken * 8 > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    dense := array(select packed_double(data, next + n * 8) from generate_series(0, taken - 1) n order by n);
    next := next + taken * 8;
  else
    read := packed_integers(data, next, stop, taken, 10 ^ (kind & 7));
    dense := read.numbers;
    next := read.next;
  end if;
  numbers := dense;
  if bits is not null then
    numbers := array(
      select case when p.bit = 1 then dense[p.place] end
      from (
        select n, get_bit(bits, n) as bit, (sum(get_bit(bits, n)) over (order by n rows unbounded preceding))::integer as place
        from generate_series(0, total - 1) n
      ) p order by p.n
    );
  end if;
end $function$;
alter function packed_numbers(bytea,integer,integer,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_part(data bytea, slot integer, OUT rest integer, OUT head_end integer, OUT part_start integer, OUT part_end integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  head constant record := packed_head(data);
  mask integer;
  ends bigint;
  size bigint;
  expected bigint;
  read record;
begin
  head_end := head.head_end;
  rest := head.head_start + 2;
  mask := get_byte(data, head.head_start) | (get_byte(data, head.head_start + 1) << 8);
  ends := head_end;
  for each in 0 .. 15 loop
    continue when mask >> each & 1 = 0;
    read := packed_varint(data, rest, head_end);
    size := read.value;
    rest := read.next + 4;
    if each = slot then
      part_start := ends;
      expected := packed_uint32(data, read.next);
    end if;
    ends := ends + size;
    if each = slot then
      part_end := least(ends, 2147483647);
    end if;
  end loop;
  if rest > head_end or ends <> length(data) then
    raise data_corrupted using message = 'the length of packed bytes differs from that of their parts';
  end if;
  if packed_checksum(substring(data from part_start + 1 for part_end - part_start)) <> expected then
    raise data_corrupted using message = 'a packed part differs from its checksum';
  end if;
end $function$;
alter function packed_part(bytea,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_signed(zigzag bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$ select case when zigzag & 1 = 0 then zigzag >> 1 else -((zigzag + 1) >> 1) end $function$;
alter function packed_signed(bigint) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_uint32(data bytea, at integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select get_byte(data, at) | (get_byte(data, at + 1) << 8) | (get_byte(data, at + 2) << 16) | (get_byte(data, at + 3)::bigint << 24)
$function$;
alter function packed_uint32(bytea,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.packed_varint(data bytea, at integer, stop integer, OUT value bigint, OUT next integer)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  shift integer := 0;
  byte integer;
begin
  value := 0;
  next := at;
  loop
    if next >= stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    byte := get_byte(data, next);
    next := next + 1;
    value := value | ((byte & 127)::bigint << shift);
    exit when byte < 128;
    shift := shift + 7;
    if shift > 49 then
      raise data_corrupted using message = 'a packed number is out of range';
    end if;
  end loop;
  if value > 9007199254740991 then
    raise data_corrupted using message = 'a packed number is out of range';
  end if;
end $function$;
alter function packed_varint(bytea,integer,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.places_of(organization text, service text, metric text, container text, part text)
 RETURNS TABLE(service_id text, block_id integer, slot integer, anchor integer, bucket smallint)
 LANGUAGE sql
 STABLE
AS $function$
  select b.service_id, b.id, m.place::integer - 1, case b.ordinal when 0 then b.id else (
      select f.id from blocks f
      where f.organization_id = b.organization_id and f.service_id = b.service_id
        and f.subject_kind = b.subject_kind and f.subject_name = b.subject_name
      order by f.ordinal limit 1) end, log_bucket(b.service_id)
  from (
    select s.id from services s
    where s.organization_id = organization and s.deleted_at is null and (s.id = service or s.host = service)
    order by s.id = service desc limit 1
  ) s
  join blocks b on b.organization_id = organization and b.service_id = s.id
  cross join lateral unnest(b.metrics) with ordinality as m (name, place)
  where m.name = metric and metric <> '' and case b.subject_kind
    when 'host' then container is null and part is null
    when 'container' then container = b.subject_name and part is null
    else container is null and exists (
      select from parts p where p.organization_id = organization and p.service_id = b.service_id and p.id = b.parts[m.place]
        and p.kind || ':' || p.name = part)
  end
$function$;
alter function places_of(text,text,text,text,text) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.reader_organization()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
  select organization_id from reader_logins where login = session_user
$function$;
alter function reader_organization() owner to tidewatch_owner;
-- called by tidewatch_reader

CREATE OR REPLACE FUNCTION tidewatch.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $function$;
alter function refuse_change() owner to tidewatch_owner;
-- called by public

CREATE OR REPLACE FUNCTION tidewatch.require_reader_organization()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  organization constant text := reader_organization();
begin
  if organization is null then
    raise insufficient_privilege using message = format('the login %s is bound to no organization', session_user),
      hint = 'A row of tidewatch.reader_logins binds it.';
  end if;
  return organization;
end $function$;
alter function require_reader_organization() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.rollup_standing(blocks integer[])
 RETURNS TABLE(block_id integer, open_1m timestamp with time zone, open_1h timestamp with time zone, open_1d timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select b.id, o.at, o.at, o.at
  from unnest(blocks) as b (id)
  cross join lateral (select (
    select r.bucket from tidewatch.rollup_1m r where r.block_id = b.id order by r.bucket desc limit 1
  ) + interval '1 minute' as at) o
$function$;
alter function rollup_standing(integer[]) owner to tidewatch_owner;
-- called by public

CREATE OR REPLACE FUNCTION tidewatch.samples_of(service text, metric text, since timestamp with time zone, until timestamp with time zone, container text DEFAULT NULL::text, part text DEFAULT NULL::text)
 RETURNS TABLE("time" timestamp with time zone, value double precision)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  organization constant text := require_reader_organization();
begin
  return query select s."time", s.value
    from places_of(organization, service, metric, container, part) p
    cross join lateral stored_samples(organization, p.block_id, p.slot, p.anchor, p.bucket, since, until) s
    order by s."time";
end $function$;
alter function samples_of(text,text,timestamp with time zone,timestamp with time zone,text,text) owner to tidewatch_owner;
-- called by tidewatch_reader

CREATE OR REPLACE FUNCTION tidewatch.sessions_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  update revisions set revision = revision + 1 where name = 'sessions';
  return null;
end $function$;
alter function sessions_changed() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.set_status_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'tidewatch', 'pg_temp'
AS $function$
begin
  new.status_at := greatest(
    case when old.deleted_at is null then coalesce(new.deleted_at, clock_timestamp()) else clock_timestamp() end,
    old.status_at + interval '1 microsecond');
  return new;
end $function$;
alter function set_status_at() owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.stale_buckets(blocks integer[], lower_bound timestamp with time zone, upper_bound timestamp with time zone)
 RETURNS TABLE(block_id integer, tier text, bucket timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select d.block_id, d.tier, d.bucket from tidewatch.dirty_buckets d
  where d.tier in ('1m', '1h', '1d') and d.block_id = any(blocks)
    and d.bucket >= lower_bound and d.bucket < upper_bound
$function$;
alter function stale_buckets(integer[],timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by public

CREATE OR REPLACE FUNCTION tidewatch.steps_of(service text, metric text, since timestamp with time zone, until timestamp with time zone, step interval DEFAULT '00:01:00'::interval, container text DEFAULT NULL::text, part text DEFAULT NULL::text)
 RETURNS TABLE("time" timestamp with time zone, mean double precision, sum double precision, count bigint, min double precision, max double precision)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'tidewatch', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET extra_float_digits TO '1'
AS $function$
#variable_conflict use_column
declare
  organization constant text := require_reader_organization();
  begins constant timestamptz := '1970-01-01';
begin
  if not (isfinite(since) and isfinite(until)) or extract(epoch from step) < 1
    or extract(epoch from until - since) > 100000 * extract(epoch from step) then
    raise invalid_parameter_value using message = 'a range is finite and has at most 100000 steps of a second or more';
  end if;
  return query
    with places as materialized (select p.* from places_of(organization, service, metric, container, part) p),
    samples as (
      select date_bin(step, s."time", begins) as at, s."time", s.value, s.value::text as digits
      from places p cross join lateral stored_samples(organization, p.block_id, p.slot, p.anchor, p.bucket, since, until) s
    ),
    sampled as (
      select s.at, count(*)::float8 as count, min(s.value) as min, max(s.value) as max,
        -- Decimals that a column stores as integers; see domain/src/rollup/exact-sum.ts.
        case when max(scale(s.digits::numeric)) > 6 or bool_or(s.digits = '-0')
            or max(abs(s.digits::numeric)) * 10::numeric ^ max(scale(s.digits::numeric)) > 1125899906842624
          then 0::float8 + sum(greatest(-1e290::float8, least(s.value, 1e290::float8)) order by s."time")
          else sum(s.digits::numeric)::float8 end as sum
      from samples s group by s.at
    ),
    steps as (
      select s.at, s.sum, s.count, s.min, s.max from sampled s
      union all
      select date_bin(step, r."time", begins), sum(r.sum order by r."time"), sum(r.count), min(r.min), max(r.max)
      from places p cross join lateral stored_rollups(p.block_id, p.slot, since, until, step) r
      group by 1
    )
    select s.at, sum(s.sum) / sum(s.count), sum(s.sum), sum(s.count)::bigint, min(s.min), max(s.max)
    from steps s group by s.at order by s.at;
end $function$;
alter function steps_of(text,text,timestamp with time zone,timestamp with time zone,interval,text,text) owner to tidewatch_owner;
-- called by tidewatch_reader

CREATE OR REPLACE FUNCTION tidewatch.stored_rollups(block integer, slot integer, since timestamp with time zone, until timestamp with time zone, step interval)
 RETURNS TABLE("time" timestamp with time zone, sum double precision, count double precision, min double precision, max double precision)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  is_log constant boolean := (select sample_layout from storage_backend) = 'log';
  seconds constant numeric := extract(epoch from step);
  day timestamptz := date_trunc('day', since);
  first timestamptz;
  last timestamptz;
  tier record;
  has_rows boolean;
begin
  while day < until loop
    if is_log then
      execute 'select exists (select from sample_days where block_id = $1 and day = $2::date)
        or exists (select from sample_chunks where block_id = $1 and first >= $2 and first < $2 + interval ''1 day'')'
        into has_rows using block, day;
    else
      select exists (select from samples s where s.block_id = block and s."time" >= day and s."time" < day + interval '1 day')
        into has_rows;
    end if;
    if not has_rows then
      first := greatest(day, since);
      last := least(day + interval '1 day', until);
      for tier in
        select * from (values ('packed_minutes', 'day', 'rollup_1m', interval '1 minute'), ('packed_hours', 'day', 'rollup_1h', interval '1 hour'),
          ('packed_days', 'month', 'rollup_1d', interval '1 day')) as t (packed, period, relation, width)
        cross join lateral (select (extract(epoch from first) % extract(epoch from t.width) = 0
          and extract(epoch from last) % extract(epoch from t.width) = 0)::integer as is_whole) w
        where seconds % extract(epoch from t.width) = 0
        order by w.is_whole desc, t.width * (1 - 2 * w.is_whole)
      loop
        if is_log then
          return query execute format('
            select b.at, r.sum, r.count, r.min, r.max
            from %1$I p cross join lateral unpack_rollups(p.data || ''''::bytea, $2) r
            cross join lateral (select p.%2$I::timestamptz + r.step * $3 as at) b
            where p.block_id = $1 and p.%2$I = date_trunc(%2$L, $4)::date and b.at >= $5 and b.at < $6',
            tier.packed, tier.period) using block, slot, tier.width, day, first, last;
        else
          return query execute format('select r.bucket, r.sum%1$s, r.cnt%1$s::float8, r.min%1$s, r.max%1$s from %2$I r
            where r.block_id = $1 and r.bucket >= $2 and r.bucket < $3 and r.cnt%1$s > 0',
            slot, tier.relation) using block, first, last;
        end if;
        exit when found;
      end loop;
    end if;
    day := day + interval '1 day';
  end loop;
end $function$;
alter function stored_rollups(integer,integer,timestamp with time zone,timestamp with time zone,interval) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.stored_samples(organization text, block integer, slot integer, anchor integer, bucket smallint, since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE("time" timestamp with time zone, value double precision)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  backfilled constant text := format('select b."time", b.v%1$s from samples_backfill b
    where b.block_id = $1 and b."time" >= $2 and b."time" < $3 and b.v%1$s is not null', slot);
begin
  if (select sample_layout from storage_backend) = 'rows' then
    return query execute format('select distinct on (x."time") x."time", x.value from (
        select s."time", s.v%1$s as value, 0 as standing from samples s
        where s.block_id = $1 and s."time" >= $2 and s."time" < $3 and s.v%1$s is not null
        union all select b."time", b.v%1$s, 2 from (%2$s) b
      ) x order by x."time", x.standing desc', slot, backfilled) using block, since, until;
    return;
  end if;
  return query execute format('
    with tail as (
      select distinct on (u.at) u.at, u.value
      from sample_log l cross join lateral unpack_log_row(l.data || ''''::bytea, $4, $1, $5) u
      where l.organization_id = $6 and l.bucket in (-1, -2 - ($7 >> 4), $7) and l.last >= $2 and l.first < $3
      order by u.at, u.seq desc, l.seq desc, u.place desc
    ),
    stored as (
      select u.at, u.value
      from sample_chunks c cross join lateral unpack_chunk(c.data || ''''::bytea, $5) u
      where c.block_id = $1 and c.first >= date_trunc(''day'', $2) and c.first < $3 and c.last >= $2
        and not exists (select from sample_days d where d.block_id = $1 and d.day = c.first::date)
      union all
      select u.at, u.value
      from sample_days d cross join lateral unpack_chunk(d.data || ''''::bytea, $5) u
      where d.block_id = $1 and d.day >= $2::date and d.day < $3
    ),
    packed as (
      select to_timestamp(p.at / 1000) as "time", p.value, p.standing
      from (select t.at, t.value, 1 as standing from tail t union all select s.at, s.value, 0 from stored s) p
    )
    select distinct on (x."time") x."time", x.value
    from (
      select p."time", p.value, p.standing from packed p where p."time" >= $2 and p."time" < $3
      union all select b."time", b.v%1$s, 2 from (%2$s) b
    ) x order by x."time", x.standing desc', slot, backfilled)
    using block, since, until, anchor::bigint, slot, organization, bucket;
end $function$;
alter function stored_samples(text,integer,integer,integer,smallint,timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.unpack_chunk(data bytea, slot integer)
 RETURNS TABLE(at double precision, value double precision)
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  part constant record := packed_part(data, slot);
  total record;
  times record;
  column_of record;
begin
  total := packed_varint(data, part.rest, part.head_end);
  if total.value not between 1 and 1048576 then
    raise data_corrupted using message = format('a packed chunk of %s rows', total.value);
  end if;
  if part.part_start is null then
    return;
  end if;
  times := packed_integers(data, total.next, part.head_end, total.value::integer, 1);
  column_of := packed_numbers(data, part.part_start, part.part_end, total.value::integer);
  if times.next <> part.head_end or column_of.next <> part.part_end then
    raise data_corrupted using message = 'bytes are left behind the end of a packed chunk';
  end if;
  return query select u.t, u.v from unnest(times.numbers, column_of.numbers) as u (t, v) where u.v is not null;
end $function$;
alter function unpack_chunk(bytea,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.unpack_log_record(data bytea, "position" integer, stop integer, wanted_block integer, wanted_slot integer)
 RETURNS TABLE(at double precision, block_id integer, slot integer, value double precision)
 LANGUAGE plpgsql
 IMMUTABLE ROWS 100
AS $function$
declare
  next integer;
  read record;
  id bigint := 0;
  mask integer;
  packed bigint;
  scale integer;
begin
  read := packed_varint(data, "position", stop);
  at := packed_signed(read.value);
  next := read.next;
  while next < stop loop
    read := packed_varint(data, next, stop);
    id := id + packed_signed(read.value);
    next := read.next + 2;
    if next > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    mask := get_byte(data, next - 2) | (get_byte(data, next - 1) << 8);
    for each in 0 .. 15 loop
      continue when mask >> each & 1 = 0;
      read := packed_varint(data, next, stop);
      packed := read.value;
      next := read.next;
      scale := packed & 7;
      if scale = 7 then
        next := next + 8;
        if next > stop or packed > 127 then
          raise data_corrupted using message = 'packed bytes end too early';
        end if;
      end if;
      continue when id <> wanted_block or each <> wanted_slot;
      block_id := id;
      slot := each;
      value := case scale when 7 then packed_double(data, next - 8) else packed_signed(packed >> 3) / 10::float8 ^ scale end;
      return next;
    end loop;
  end loop;
end $function$;
alter function unpack_log_record(bytea,integer,integer,integer,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.unpack_log_row(data bytea, wanted_anchor bigint, wanted_block integer, wanted_slot integer)
 RETURNS TABLE(seq bigint, place integer, at double precision, block_id integer, slot integer, value double precision)
 LANGUAGE plpgsql
 IMMUTABLE ROWS 100
AS $function$
declare
  head constant record := packed_head(data);
  next integer := head.head_start;
  record_start bigint := head.head_end;
  record_end bigint;
  read record;
  sections bigint;
  records bigint;
  anchor bigint;
  bytes bytea;
begin
  place := 0;
  read := packed_varint(data, next, head.head_end);
  sections := read.value;
  next := read.next;
  while sections > 0 loop
    sections := sections - 1;
    read := packed_varint(data, next, head.head_end);
    seq := read.value;
    read := packed_varint(data, read.next, head.head_end);
    records := read.value;
    next := read.next;
    while records > 0 loop
      records := records - 1;
      read := packed_varint(data, next, head.head_end);
      anchor := read.value;
      read := packed_varint(data, read.next, head.head_end);
      record_end := record_start + read.value;
      next := read.next + 4;
      if next > head.head_end or record_end > length(data) then
        raise data_corrupted using message = 'packed bytes end too early';
      end if;
      if anchor = wanted_anchor then
        bytes := substring(data from record_start::integer + 1 for read.value::integer);
        if packed_checksum(bytes) <> packed_uint32(data, read.next) then
          raise data_corrupted using message = 'a packed record differs from its checksum';
        end if;
        return query select unpack_log_row.seq, unpack_log_row.place, r.at, r.block_id, r.slot, r.value
          from unpack_log_record(bytes, 0, length(bytes), wanted_block, wanted_slot) r;
      end if;
      place := place + 1;
      record_start := record_end;
    end loop;
  end loop;
  if next <> head.head_end or record_start <> length(data) then
    raise data_corrupted using message = 'the length of a packed row differs from that of its records';
  end if;
end $function$;
alter function unpack_log_row(bytea,bigint,integer,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.unpack_rollups(data bytea, slot integer)
 RETURNS TABLE(step integer, sum double precision, count double precision, min double precision, max double precision)
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
declare
  part constant record := packed_part(data, slot);
  total record;
  counts record;
  sums record;
  mins record;
  maxs record;
  taken integer[];
begin
  total := packed_varint(data, part.rest, part.head_end);
  if total.next <> part.head_end or total.value not between 1 and 1440 then
    raise data_corrupted using message = format('a packed rollup row of %s steps', total.value);
  end if;
  if part.part_start is null then
    return;
  end if;
  counts := packed_numbers(data, part.part_start, part.part_end, total.value::integer);
  taken := array(select n from generate_subscripts(counts.numbers, 1) n where counts.numbers[n] is not null order by n);
  sums := packed_numbers(data, counts.next, part.part_end, cardinality(taken));
  mins := packed_numbers(data, sums.next, part.part_end, cardinality(taken));
  maxs := packed_numbers(data, mins.next, part.part_end, cardinality(taken));
  if maxs.next <> part.part_end then
    raise data_corrupted using message = 'bytes are left behind the end of packed rollups';
  end if;
  return query select u.n - 1, u.s, counts.numbers[u.n], u.l, u.h
    from unnest(taken, sums.numbers, mins.numbers, maxs.numbers) as u (n, s, l, h);
end $function$;
alter function unpack_rollups(bytea,integer) owner to tidewatch_owner;
-- called by its owner alone

CREATE OR REPLACE FUNCTION tidewatch.version_span(created_at timestamp with time zone, until timestamp with time zone)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select ceil(ln(greatest(date_part('epoch', until - created_at), 1)) / ln(2::double precision))::smallint
$function$;
alter function version_span(timestamp with time zone,timestamp with time zone) owner to tidewatch_owner;
-- called by its owner alone

-- rows of installation
-- {"only_row":true}

-- rows of revisions
-- {"name":"keys","revision":0}
-- {"name":"resolved_by_hand","revision":0}
-- {"name":"rules","revision":0}
-- {"name":"services","revision":0}
-- {"name":"sessions","revision":0}
-- {"name":"silences","revision":0}

-- rows of storage_backend
-- {"name":"plain","only_row":true,"sample_layout":"log","is_converting":false}
