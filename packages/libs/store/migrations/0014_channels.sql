-- Channels: where alerts are told. What they need to do it is encrypted by the product (AES-256-GCM); the database never
-- has the key, so neither a dump nor a backup tells a secret.
set local role tidewatch_owner;
set local search_path = tidewatch;

-- `shown` is the configuration as it is read back, secrets masked. `sealed` is the whole of it, encrypted with the key
-- that `key_id` names and bound to organization and channel; a deleted channel has none.
create table channels (
  org_id text not null references organizations (id),
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
  primary key (org_id, id),
  check ((sealed is null) = (deleted_at is not null))
);
create unique index channels_by_default on channels (org_id, kind) where is_default and deleted_at is null;
create index channels_listed on channels (org_id, created_at, id) where deleted_at is null;

-- What came of the last attempt; apart from channels, since it is written with every delivery and by the notifier.
create table channel_deliveries (
  org_id text not null,
  channel_id text not null,
  status text not null check (status in ('delivered', 'failed')),
  at timestamptz not null,
  error text,
  primary key (org_id, channel_id)
) with (fillfactor = 70);

grant select, insert, update on channels, channel_deliveries to tidewatch_api;
