-- Notifications: what channels are told of alerts, decided and delivered by the notifier, which gets a role of its own.
do $$
begin
  begin
    create role tidewatch_notifier nologin;
  exception when duplicate_object or unique_violation then null;
  end;
end $$;

set local role tidewatch_owner;
set local search_path = tidewatch;

-- One message to one channel, or the record that there is none. `channel` is the channel's id, or the kind where that
-- has no default. A digest has no event before its window ends: until then its alerts keep theirs.
create table notifications (
  org_id text not null,
  id text not null,
  event_id text not null,
  rule_id text not null,
  transition text not null,
  direction text not null check (direction in ('opening', 'resolution')),
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
  waits_for text[] not null default '{}',
  next_attempt_at timestamptz not null,
  give_up_at timestamptz not null,
  -- An attempt was begun, and nobody has recorded how it ended.
  attempting boolean not null default false,
  -- Somebody asked for it, so that it is sent whatever was told before.
  forced boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (org_id, id)
) with (fillfactor = 80);
create index notifications_listed on notifications (org_id, created_at desc, id desc) include (status);
create index notifications_by_status on notifications (org_id, status, created_at desc, id desc);
create index notifications_queued on notifications (org_id, channel, next_attempt_at, id) where status = 'queued';
create index notifications_settled on notifications (created_at) where status <> 'queued';

-- Which alerts a notification is about. An event about an alert makes at most one notice for each channel, however often
-- it is delivered.
create table notification_alerts (
  org_id text not null,
  alert_id text not null,
  channel text not null,
  event_id text not null,
  notification_id text not null,
  event jsonb,
  primary key (org_id, alert_id, channel, event_id),
  foreign key (org_id, notification_id) references notifications (org_id, id) on delete cascade
);
create index notification_alerts_by_notification on notification_alerts (org_id, notification_id);

-- What of one rule gathers for a channel: the first few are told at once, the rest as a digest when the window ends.
create table notification_windows (
  org_id text not null,
  rule_id text not null,
  channel text not null,
  direction text not null,
  ends_at timestamptz not null,
  told integer not null,
  digest_id text,
  digest_alerts integer not null,
  digest_bytes integer not null,
  primary key (org_id, rule_id, channel, direction)
) with (fillfactor = 60);

-- How each destination is faring, shared by all notifiers: tokens of its rate, failures in a row, and until when it is
-- left alone.
create table destination_paces (
  org_id text not null,
  channel text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  failures integer not null,
  open_until timestamptz,
  paused_until timestamptz,
  primary key (org_id, channel)
) with (fillfactor = 50);

-- Active alerts that somebody was told of, or is to be told of once the reason why nobody was has passed.
create table alert_tellings (
  org_id text not null,
  alert_id text not null,
  rule_id text not null,
  told_at timestamptz,
  withheld text,
  primary key (org_id, alert_id)
) with (fillfactor = 60);
create index alert_tellings_due on alert_tellings (org_id, rule_id, told_at) where told_at is not null;
create index alert_tellings_withheld on alert_tellings (org_id, alert_id) where withheld is not null;

create table flapping_streams (
  org_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null,
  changed_at timestamptz not null,
  primary key (org_id, rule_id, service_id, subject_kind, subject_name)
);
create index flapping_streams_by_time on flapping_streams (changed_at);

-- Probes of the pipeline are of no use once they were published, and there are many.
create index outbox_probes on outbox (id) where event ->> 'type' = 'pipeline.probe';

grant usage on schema tidewatch to tidewatch_notifier;
grant select, insert, update on notifications, notification_alerts, notification_windows, destination_paces,
  alert_tellings, flapping_streams to tidewatch_notifier;
grant delete on alert_tellings, flapping_streams to tidewatch_notifier;
grant select on alerts, alert_rules, channels, bus_topics, outbox to tidewatch_notifier;
grant select, insert, update on channel_deliveries to tidewatch_notifier;
grant insert on outbox, bus_topics to tidewatch_notifier;
grant select, insert, update on consumer_offsets, leases to tidewatch_notifier;

grant select on notifications, notification_alerts to tidewatch_api;
grant update (status, reason, next_attempt_at, give_up_at, waits_for, forced) on notifications to tidewatch_api;
grant select, delete on notifications, notification_windows, flapping_streams to tidewatch_writer;
grant select on notification_alerts to tidewatch_writer;
