-- Packed samples and snapshots that could not be read, in the place of which others were stored: kept until their day is dropped.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create table damaged_samples (
  -- Empty where the block does not exist any more.
  organization_id text not null,
  id bigint generated always as identity,
  found_at timestamptz not null default now(),
  -- Where the bytes stood. 'late_samples': a chunk of samples for a closed day whose row is damaged.
  relation text not null,
  -- Of rows of a log.
  bucket smallint,
  seq bigint,
  -- Of other rows.
  block_id integer,
  -- The UTC day, or the first one of the month, with whose rows it is dropped.
  day date not null,
  -- What the reader found.
  reason text not null,
  data bytea not null,
  primary key (organization_id, id)
);
alter table damaged_samples alter data set storage external;
grant select, insert, delete on damaged_samples to tidewatch_writer;
select isolate_organizations();
