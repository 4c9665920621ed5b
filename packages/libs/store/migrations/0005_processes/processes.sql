-- What each process of Tidewatch reports of itself, and how large the database was, for the state of the installation.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- One row for each process, written every ten seconds and deleted when the process stops. A row that is not written any more is a
-- process that has ended otherwise.
create table processes (
  id text primary key,
  roles text[] not null,
  version text not null,
  status text not null check (status in ('ready', 'degraded', 'unavailable')),
  reasons text[] not null,
  figures jsonb not null,
  started_at timestamptz not null,
  reported_at timestamptz not null
) with (fillfactor = 50);
grant select, insert, update, delete on processes
  to tidewatch_writer, tidewatch_evaluator, tidewatch_notifier, tidewatch_investigator, tidewatch_api;

-- The size of the database in each hour, from which its growth is computed.
create table storage_sizes (
  hour timestamptz primary key,
  database_bytes bigint not null
);
grant select, insert, update, delete on storage_sizes to tidewatch_writer;
grant select on storage_sizes to tidewatch_api;
