-- The outbox, and receipts of ingest.

-- Events that happened: published in the order of their commits by the relay, and the log from which readers of events resume. An
-- event is numbered once, soon after it was written. Where its page has room for the numbered row, the write-ahead log holds only
-- what differs.
create table outbox (
  id bigint generated always as identity primary key,
  organization_id text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  sequence bigint unique,
  published_at timestamptz
) with (fillfactor = 50);
create index outbox_unpublished on outbox (id) where sequence is null;
-- The relay publishes events of organizations in turn where more wait than it takes at once.
create index outbox_unpublished_by_organization on outbox (organization_id, id) where sequence is null;
create index outbox_by_organization on outbox (organization_id, sequence) where sequence is not null;
create index outbox_by_event on outbox (organization_id, (event ->> 'id')) where sequence is not null;
-- Probes of the pipeline are of no use once they were published, and there are many.
create index outbox_probes on outbox (id) where event ->> 'type' = 'pipeline.probe';
grant select, insert, delete on outbox to tidewatch_writer;
grant select, insert, update, delete on outbox to tidewatch_evaluator;
grant select, insert on outbox to tidewatch_notifier, tidewatch_investigator;
grant select, insert, update on outbox to tidewatch_api;

-- The answer to a request of ingest; `records` as the answer spells them.
create table ingest_receipts (
  organization_id text not null,
  id text not null,
  key_id text not null,
  accepted_at timestamptz not null,
  records jsonb not null,
  primary key (organization_id, id)
);
create index ingest_receipts_by_time on ingest_receipts (accepted_at);
grant select, delete on ingest_receipts to tidewatch_writer;
grant select, insert on ingest_receipts to tidewatch_api;

-- What became of the payloads of a receipt: written in the transaction that stores or evaluates them, and before one that moves past
-- a dead letter. It may come before the receipt's own row.
create table ingest_receipt_marks (
  organization_id text not null,
  receipt_id text not null,
  consumer text not null,
  partition integer not null,
  "offset" bigint not null,
  at timestamptz not null default clock_timestamp(),
  -- Why the payloads became a dead letter; null where they were applied.
  reason text,
  primary key (organization_id, receipt_id, consumer, partition, "offset")
);
create index ingest_receipt_marks_by_time on ingest_receipt_marks (at);
grant select, insert, update, delete on ingest_receipt_marks to tidewatch_writer;
grant select, insert, update on ingest_receipt_marks to tidewatch_evaluator;
grant select on ingest_receipt_marks to tidewatch_api;

-- Records of which not even the receipts can be read.
create table unreadable_records (
  topic text not null,
  partition integer not null,
  "offset" bigint not null,
  at timestamptz not null default clock_timestamp(),
  reason text not null,
  primary key (topic, partition, "offset")
);
create index unreadable_records_by_time on unreadable_records (at);
grant select, insert, delete on unreadable_records to tidewatch_writer;
grant select, insert on unreadable_records to tidewatch_evaluator;
grant select on unreadable_records to tidewatch_api;
