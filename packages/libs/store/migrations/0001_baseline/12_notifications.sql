-- Channels, notifications, and what decides whether and when a channel is notified.

-- What channels need for delivery is encrypted by the product (AES-256-GCM); the database never has the key, so neither a dump nor
-- a backup reveals a secret. `shown` is the configuration as it is read back, secrets masked. `sealed` is the whole of it, encrypted
-- with the key that `key_id` names and bound to organization and channel; a deleted channel has none.
create table channels (
  organization_id text not null references organizations (id),
  id text not null,
  kind text not null check (kind in ('slack', 'email', 'webhook', 'pagerduty')),
  name text not null,
  is_default boolean not null,
  enabled boolean not null,
  shown jsonb not null,
  sealed bytea,
  nonce bytea,
  key_id text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  check ((sealed is null) = (deleted_at is not null))
);
create unique index channels_by_default on channels (organization_id, kind) where is_default and deleted_at is null;
create index channels_listed on channels (organization_id, created_at, id) where deleted_at is null;
grant select on channels to tidewatch_notifier;
grant select, insert, update on channels to tidewatch_api;

-- How many channels of all organizations were encrypted with another key than this: a number, and nothing of them.
create function count_channels_sealed_otherwise(sealed_with text) returns integer
language sql stable security definer set search_path = tidewatch, pg_temp as $$
  select count(*)::integer from channels where deleted_at is null and key_id <> sealed_with
$$;
revoke all on function count_channels_sealed_otherwise(text) from public;
grant execute on function count_channels_sealed_otherwise(text) to tidewatch_notifier, tidewatch_api;

-- The outcome of the last attempt; apart from channels, since it is written with every delivery and by the notifier.
create table channel_deliveries (
  organization_id text not null,
  channel_id text not null,
  status text not null check (status in ('delivered', 'failed')),
  at timestamptz not null,
  error text,
  primary key (organization_id, channel_id)
) with (fillfactor = 70);
grant select, insert, update on channel_deliveries to tidewatch_notifier, tidewatch_api;

-- One message to one channel, or the record that there is none. `channel` is the channel's id, or the kind where that has no
-- default. A digest has no event before its window ends: until then its alerts keep theirs.
create table notifications (
  organization_id text not null,
  id text not null,
  event_id text not null,
  -- Null for events that no rule has to do with, to which webhooks may subscribe.
  rule_id text,
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
  -- An attempt was begun, and its outcome is not recorded yet.
  attempting boolean not null default false,
  -- Somebody asked for it, so it is sent whatever the channel was notified of before.
  forced boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- 0 critical, 1 warning, 2 info, 3 events that a webhook subscribes to.
  priority smallint not null default 1 check (priority between 0 and 3)
) with (fillfactor = 80);
create index notifications_listed on notifications (organization_id, created_at desc, id desc) include (status);
create index notifications_by_status on notifications (organization_id, status, created_at desc, id desc);
create index notifications_settled on notifications (created_at) where status <> 'queued';
create index notifications_by_turn on notifications (organization_id, channel, priority, next_attempt_at, id) where status = 'queued';
-- Of an event that is delivered again, each channel is notified once.
create unique index notifications_of_events on notifications (organization_id, event_id, channel) where transition = 'event';
-- After the lists, as for alerts.
alter table notifications add primary key (organization_id, id);
grant select, insert, update on notifications to tidewatch_notifier;
grant select, delete on notifications to tidewatch_writer;
grant select, update (status, reason, next_attempt_at, give_up_at, waits_for, forced) on notifications to tidewatch_api;

-- Which alerts a notification is about. An event about an alert makes at most one notice for each channel, however often it is
-- delivered.
create table notification_alerts (
  organization_id text not null,
  alert_id text not null,
  channel text not null,
  event_id text not null,
  notification_id text not null,
  event jsonb,
  -- How severe the alert was in the notice.
  severity text,
  primary key (organization_id, alert_id, channel, event_id),
  foreign key (organization_id, notification_id) references notifications (organization_id, id) on delete cascade
);
create index notification_alerts_by_notification on notification_alerts (organization_id, notification_id);
grant select, insert, update on notification_alerts to tidewatch_notifier;
grant select on notification_alerts to tidewatch_writer, tidewatch_api;

-- What gathers of one rule for a channel: the first few are sent at once, the rest as a digest when the window ends.
create table notification_windows (
  organization_id text not null,
  rule_id text not null,
  channel text not null,
  direction text not null,
  ends_at timestamptz not null,
  sent_at_once integer not null,
  digest_id text,
  digest_alerts integer not null,
  digest_bytes integer not null,
  primary key (organization_id, rule_id, channel, direction)
) with (fillfactor = 60);
grant select, insert, update on notification_windows to tidewatch_notifier;
grant select, delete on notification_windows to tidewatch_writer;

-- The pace of each destination, shared by all notifiers: tokens of its rate, failures in a row, until when it is paused, and when
-- it answered last; null until it has.
create table destination_paces (
  organization_id text not null,
  channel text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  failures integer not null,
  open_until timestamptz,
  paused_until timestamptz,
  answered_at timestamptz,
  primary key (organization_id, channel)
) with (fillfactor = 50);
grant select, insert, update on destination_paces to tidewatch_notifier;
-- A change of a channel resets its failures and the pauses that they led to.
grant select, update (failures, open_until, paused_until, answered_at) on destination_paces to tidewatch_api;

-- Active alerts of which a channel was notified, or is to be notified once the reasons against it have passed.
create table alert_notices (
  organization_id text not null,
  alert_id text not null,
  rule_id text not null,
  -- When a channel was last notified; reminders follow it.
  notified_at timestamptz,
  -- Every reason why a channel was not notified that may pass; `changed` where a rule or a channel was changed since.
  withheld text[],
  -- The event by which that is being made good, until it is planned, and since when. It is emitted again after ten minutes.
  made_good_by text,
  made_good_at timestamptz,
  primary key (organization_id, alert_id)
) with (fillfactor = 60);
create index alert_notices_due on alert_notices (organization_id, rule_id, notified_at) where notified_at is not null;
create index alert_notices_withheld on alert_notices (organization_id, alert_id) where withheld is not null;
grant select, insert, update, delete on alert_notices to tidewatch_notifier;

-- Alert instances that flap, and the notices by which channels were notified of that.
create table flapping_streams (
  organization_id text not null,
  rule_id text not null,
  service_id text not null,
  subject_kind text not null,
  subject_name text not null,
  changed_at timestamptz not null,
  severity text not null,
  notices jsonb not null default '[]',
  primary key (organization_id, rule_id, service_id, subject_kind, subject_name)
);
create index flapping_streams_by_time on flapping_streams (changed_at);
grant select, insert, update, delete on flapping_streams to tidewatch_notifier;
grant select, delete on flapping_streams to tidewatch_writer;
