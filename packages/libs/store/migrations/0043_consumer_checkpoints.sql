-- What consumers applied last, record by record: where a log has lost its end, they prove that it is the same log and go on.
set local role tidewatch_owner;
set local search_path = tidewatch;

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
grant select, insert, update on consumer_checkpoints to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator;
