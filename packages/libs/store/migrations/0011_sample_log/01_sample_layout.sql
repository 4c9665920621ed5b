-- How this database keeps samples: as rows of sixteen slots, or as a log that is sealed into chunks. Chosen before its first sample.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table storage_backend
  add column sample_layout text not null default 'rows' check (sample_layout in ('rows', 'log'));
