-- How far each day of packed samples is closed. Samples and rollups of closed days are deleted with their service.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

create table closed_days (
  day date primary key,
  -- Blocks up to this id have their samples of the day in sample_days, none in chunks. The greatest integer: all blocks have.
  closed_to integer not null,
  -- When the last blocks were closed.
  closed_at timestamptz not null
);
grant select, insert, update, delete on closed_days to tidewatch_writer;
grant delete on packed_minutes, packed_hours, packed_days to tidewatch_writer;
