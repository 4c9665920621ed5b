-- What the migrations make with the storage backend plain, as PostgreSQL 18 words it. Written by a test.

create schema tidewatch authorization tidewatch_owner;
grant usage on schema tidewatch to tidewatch_api;
grant usage on schema tidewatch to tidewatch_evaluator;
grant usage on schema tidewatch to tidewatch_investigator;
grant usage on schema tidewatch to tidewatch_notifier;
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
  constraint alert_counts_tier_check CHECK (tier = ANY (ARRAY['rule'::text, '1d'::text, '1h'::text, '1m'::text, 'id'::text]))
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
  constraint alert_versions_pkey PRIMARY KEY (organization_id, alert_id, number)
);
alter table alert_versions owner to tidewatch_owner;
CREATE INDEX alert_versions_by_time ON tidewatch.alert_versions USING btree (organization_id, until);
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
CREATE INDEX alerts_offline ON tidewatch.alerts USING btree (organization_id, service_id) WHERE ((status = 'active'::text) AND (metric = 'host.silent_minutes'::text));
CREATE INDEX alerts_shadow ON tidewatch.alerts USING btree (organization_id, fired_at, id) INCLUDE (status, severity) WHERE shadow;
CREATE INDEX alerts_silenced ON tidewatch.alerts USING btree (organization_id, silenced_by, silenced_until) WHERE ((status = 'active'::text) AND (silenced_by IS NOT NULL));
alter table alerts add constraint alerts_pkey PRIMARY KEY (organization_id, id);
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
CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit enable row level security;
create policy organization on audit to tidewatch_api using ((organization_id = current_setting('tidewatch.organization'::text, true)));
grant insert, select on audit to tidewatch_api;

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
CREATE INDEX investigations_by_service ON tidewatch.investigations USING btree (organization_id, service_id, created_at DESC, id DESC);
CREATE INDEX investigations_listed ON tidewatch.investigations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX investigations_next ON tidewatch.investigations USING btree (organization_id, ((trigger = 'alert'::text)), ((severity IS DISTINCT FROM 'critical'::text)), created_at, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX investigations_queued ON tidewatch.investigations USING btree (status, created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX investigations_settled ON tidewatch.investigations USING btree (created_at) WHERE (status <> ALL (ARRAY['queued'::text, 'running'::text]));
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
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
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
  constraint service_names_pkey PRIMARY KEY (organization_id, host, id) INCLUDE (folded)
) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_insert_threshold=200, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=200);
alter table service_names owner to tidewatch_owner;
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
  constraint service_versions_pkey PRIMARY KEY (organization_id, service_id, number)
);
alter table service_versions owner to tidewatch_owner;
CREATE INDEX service_versions_by_time ON tidewatch.service_versions USING btree (organization_id, until);
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
  constraint services_pkey PRIMARY KEY (organization_id, id),
  constraint services_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=80);
alter table services owner to tidewatch_owner;
CREATE INDEX services_archived ON tidewatch.services USING btree (organization_id, host, id) WHERE ((deleted_at IS NULL) AND (archived_at IS NOT NULL));
CREATE UNIQUE INDEX services_by_host ON tidewatch.services USING btree (organization_id, host) WHERE (deleted_at IS NULL);
CREATE INDEX services_by_status ON tidewatch.services USING btree (organization_id, status, host, id) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL));
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
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
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
  select coalesce(sum(case when b.subject_kind = 'part'
    then (select count(*) from unnest(l.times) as t (at) where t.at >= since) else cardinality(b.metrics) end), 0)::bigint
  from blocks b
  join block_latest l on l.block_id = b.id
  join services s on s.organization_id = b.organization_id and s.id = b.service_id
  where b.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.deleted_at is null and l.applied_at >= since
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

CREATE OR REPLACE FUNCTION tidewatch.count_alerts()
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
end $function$;
alter function count_alerts() owner to tidewatch_owner;
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
  insert into service_versions (organization_id, service_id, until, tags, status, status_reasons, status_since, active_critical,
    active_warning, active_info, archived_at)
  select o.organization_id, o.id, clock_timestamp(), o.tags, o.status, o.status_reasons, o.status_since, o.active_critical,
    o.active_warning, o.active_info, o.archived_at
  from old_rows o join new_rows n on n.organization_id = o.organization_id and n.id = o.id
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
  join blocks b on b.organization_id = s.organization_id and b.service_id = s.id and b.subject_kind = 'part'
  join block_latest l on l.block_id = b.id
  cross join lateral unnest(b.parts, b.metrics, l.times) as m (part, metric, at)
  join parts p on p.organization_id = b.organization_id and p.id = m.part
  where s.organization_id = organization and organization = current_setting('tidewatch.organization', true)
    and s.host = any (hosts) and s.deleted_at is null and m.at >= since
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
    insert into service_names (organization_id, host, id) values (new.organization_id, new.host, new.id);
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

CREATE OR REPLACE FUNCTION tidewatch.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $function$;
alter function refuse_change() owner to tidewatch_owner;
-- called by public

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
-- {"name":"plain","only_row":true,"sample_layout":"rows"}
