-- Consumers of a log: a partition may be claimed before anything was read of it, and the last record that was applied
-- is recognised by its checksum. What is known of a topic tells it from another of the same name.
set local role tidewatch_owner;
set local search_path = tidewatch;

alter table consumer_offsets alter column next_offset drop not null;
alter table consumer_offsets add column fingerprint bigint;

create table bus_topics (
  topic text primary key,
  cluster_id text not null,
  partitions integer not null,
  seen_at timestamptz not null default now()
);
grant select, insert on bus_topics to tidewatch_writer, tidewatch_evaluator, tidewatch_api;

-- Where writer and evaluator are different processes, whoever creates a service tells of it.
grant insert on outbox to tidewatch_writer;
