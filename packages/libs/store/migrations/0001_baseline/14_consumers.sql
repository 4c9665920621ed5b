-- Consumers of topics with their positions, and jobs that one process at a time may run.

-- The position of each consumer in each partition, changed by compare-and-swap; also how far the outbox is published. A partition
-- may be claimed before anything was read from it. The last applied record is recognised by its checksum.
create table consumer_offsets (
  consumer text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint,
  epoch bigint not null,
  fingerprint bigint,
  primary key (consumer, topic, partition)
);
grant select, insert, update on consumer_offsets to tidewatch_writer, tidewatch_notifier, tidewatch_investigator;
grant select, insert, update, delete on consumer_offsets to tidewatch_evaluator;
grant select on consumer_offsets to tidewatch_api;

-- Records that consumers applied last: where a log has lost its end, they prove that it is the same log.
create table consumer_checkpoints (
  consumer text not null,
  topic text not null,
  partition integer not null,
  slot smallint not null,
  first_offset bigint not null,
  -- Checksums of the records from `first_offset` on, four bytes each.
  fingerprints bytea not null,
  primary key (consumer, topic, partition, slot)
) with (fillfactor = 50);
grant select, insert, update on consumer_checkpoints
  to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator;

-- What is left of records that a consumer applied in part: kept beside the position, which moves past such records at once.
create table consumer_rests (
  consumer text not null,
  topic text not null,
  partition integer not null,
  -- The order in which the rests of a partition are taken.
  seq bigint not null,
  record_offset bigint not null,
  published_at timestamptz not null,
  -- One value, packed as a record of the topic.
  value bytea not null,
  primary key (consumer, topic, partition, seq)
);
grant select, insert, update, delete on consumer_rests
  to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator;

-- What distinguishes a topic from another one of the same name.
create table bus_topics (
  topic text primary key,
  cluster_id text not null,
  partitions integer not null,
  seen_at timestamptz not null default now()
);
grant select, insert on bus_topics
  to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator, tidewatch_api;

-- Up to when each partition of samples has been evaluated, so that answers can say what is behind.
create table pipeline_clocks (
  partition integer primary key,
  -- The number of partitions: another number spreads hosts in another way.
  partitions integer not null,
  complete_until timestamptz not null,
  -- Since when the partition has been reported as behind; null while it is not.
  delayed_since timestamptz
) with (fillfactor = 50);
grant select, insert, update, delete on pipeline_clocks to tidewatch_evaluator;
grant select on pipeline_clocks to tidewatch_api;

-- Jobs that one process at a time may run. Leases of the writer's jobs are released at a clean stop.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);
grant select, insert, update, delete on leases to tidewatch_writer, tidewatch_evaluator;
grant select, insert, update on leases to tidewatch_notifier, tidewatch_investigator;
grant select on leases to tidewatch_api;
