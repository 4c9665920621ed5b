-- What is left of records that a consumer took in part: kept beside the position, which moves past such records at once.
set local role tidewatch_owner;
set local search_path = tidewatch;

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
grant select, insert, update, delete on consumer_rests to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator;
