-- The outbox is also the log that readers of events resume from, and ingest gives receipts to those who ask.
set local role tidewatch_owner;
set local search_path = tidewatch;

create index outbox_by_organization on outbox (org_id, sequence) where sequence is not null;
create index outbox_by_event on outbox (org_id, (event ->> 'id')) where sequence is not null;

-- How far the outbox is published stands beside the offsets of consumers, and so does how far samples were taken.
grant select on consumer_offsets to tidewatch_api;

-- Webhooks may be told of other events than alerts', which no rule has to do with; of each once, however often it comes.
alter table notifications alter column rule_id drop not null;
create unique index notifications_of_events on notifications (org_id, event_id, channel) where transition = 'event';

-- What a request of ingest was answered; `records` as the answer spells them.
create table ingest_receipts (
  org_id text not null,
  id text not null,
  key_id text not null,
  accepted_at timestamptz not null,
  records jsonb not null,
  primary key (org_id, id)
);
create index ingest_receipts_by_time on ingest_receipts (accepted_at);

-- What became of the payloads of a receipt: written in the transaction that stores or judges them, and before one that
-- moves past what it gives up. It may come before the receipt's own row.
create table ingest_receipt_marks (
  org_id text not null,
  receipt_id text not null,
  consumer text not null,
  partition integer not null,
  "offset" bigint not null,
  at timestamptz not null default clock_timestamp(),
  -- Why the payloads were given up; null where they were taken.
  reason text,
  primary key (org_id, receipt_id, consumer, partition, "offset")
);
create index ingest_receipt_marks_by_time on ingest_receipt_marks (at);

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

grant select, insert on ingest_receipts to tidewatch_api;
grant select on ingest_receipt_marks, unreadable_records to tidewatch_api;
grant select, insert, update on ingest_receipt_marks to tidewatch_writer, tidewatch_evaluator;
grant select, insert on unreadable_records to tidewatch_writer, tidewatch_evaluator;
grant select, delete on ingest_receipts, ingest_receipt_marks, unreadable_records to tidewatch_writer;
