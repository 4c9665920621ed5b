-- Reads whole values: chunks and days (chunk.ts), rollup rows (rollup-row.ts), log rows (log-row.ts). Who calls them takes `data` out of
-- TOAST first (data || ''::bytea): get_byte() would otherwise do so for each byte.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- Checks the head of packed bytes (checked-head.ts): where it begins, behind its length, and where it ends.
create function packed_head(data bytea, out head_start integer, out head_end integer)
language plpgsql immutable strict as $$
declare
  read record;
begin
  if length(data) < 6 then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  if get_byte(data, 0) <> 1 then
    raise data_corrupted using message = format('packed bytes of the unknown version %s', get_byte(data, 0));
  end if;
  read := packed_varint(data, 5, length(data));
  if read.next + read.value > length(data) then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  head_start := read.next;
  head_end := read.next + read.value;
  if packed_checksum(substring(data from 6 for head_end - 5)) <> packed_uint32(data, 1) then
    raise data_corrupted using message = 'a packed head differs from its checksum';
  end if;
end $$;

-- Checks the head and the part of a slot (slot-parts.ts). `rest` is behind the places of parts in the head; a slot without a part has null.
create function packed_part(data bytea, slot integer,
  out rest integer, out head_end integer, out part_start integer, out part_end integer)
language plpgsql immutable strict as $$
declare
  head constant record := packed_head(data);
  mask integer;
  ends bigint;
  size bigint;
  expected bigint;
  read record;
begin
  head_end := head.head_end;
  rest := head.head_start + 2;
  mask := get_byte(data, head.head_start) | (get_byte(data, head.head_start + 1) << 8);
  ends := head_end;
  for each in 0 .. 15 loop
    continue when mask >> each & 1 = 0;
    read := packed_varint(data, rest, head_end);
    size := read.value;
    rest := read.next + 4;
    if each = slot then
      part_start := ends;
      expected := packed_uint32(data, read.next);
    end if;
    ends := ends + size;
    if each = slot then
      part_end := least(ends, 2147483647);
    end if;
  end loop;
  if rest > head_end or ends <> length(data) then
    raise data_corrupted using message = 'the length of packed bytes differs from that of their parts';
  end if;
  if packed_checksum(substring(data from part_start + 1 for part_end - part_start)) <> expected then
    raise data_corrupted using message = 'a packed part differs from its checksum';
  end if;
end $$;

-- The samples of a slot in a chunk or closed day, in the order of time. `at` is in ms since the epoch.
create function unpack_chunk(data bytea, slot integer) returns table (at double precision, value double precision)
language plpgsql immutable strict rows 1000 as $$
declare
  part constant record := packed_part(data, slot);
  total record;
  times record;
  column_of record;
begin
  total := packed_varint(data, part.rest, part.head_end);
  if total.value not between 1 and 1048576 then
    raise data_corrupted using message = format('a packed chunk of %s rows', total.value);
  end if;
  if part.part_start is null then
    return;
  end if;
  times := packed_integers(data, total.next, part.head_end, total.value::integer, 1);
  column_of := packed_numbers(data, part.part_start, part.part_end, total.value::integer);
  if times.next <> part.head_end or column_of.next <> part.part_end then
    raise data_corrupted using message = 'bytes are left behind the end of a packed chunk';
  end if;
  return query select u.t, u.v from unnest(times.numbers, column_of.numbers) as u (t, v) where u.v is not null;
end $$;

-- The steps of a slot in a rollup row that have samples, counted from 0.
create function unpack_rollups(data bytea, slot integer)
returns table (step integer, sum double precision, count double precision, min double precision, max double precision)
language plpgsql immutable strict rows 1000 as $$
declare
  part constant record := packed_part(data, slot);
  total record;
  counts record;
  sums record;
  mins record;
  maxs record;
  taken integer[];
begin
  total := packed_varint(data, part.rest, part.head_end);
  if total.next <> part.head_end or total.value not between 1 and 1440 then
    raise data_corrupted using message = format('a packed rollup row of %s steps', total.value);
  end if;
  if part.part_start is null then
    return;
  end if;
  counts := packed_numbers(data, part.part_start, part.part_end, total.value::integer);
  taken := array(select n from generate_subscripts(counts.numbers, 1) n where counts.numbers[n] is not null order by n);
  sums := packed_numbers(data, counts.next, part.part_end, cardinality(taken));
  mins := packed_numbers(data, sums.next, part.part_end, cardinality(taken));
  maxs := packed_numbers(data, mins.next, part.part_end, cardinality(taken));
  if maxs.next <> part.part_end then
    raise data_corrupted using message = 'bytes are left behind the end of packed rollups';
  end if;
  return query select u.n - 1, u.s, counts.numbers[u.n], u.l, u.h
    from unnest(taken, sums.numbers, mins.numbers, maxs.numbers) as u (n, s, l, h);
end $$;

-- The values of a record (log-record.ts) that lies from `position` to `stop`: those of one block and slot, or all where these are null.
create function unpack_log_record(data bytea, "position" integer, stop integer, wanted_block integer, wanted_slot integer)
returns table (at double precision, block_id integer, slot integer, value double precision)
language plpgsql immutable rows 100 as $$
declare
  next integer;
  read record;
  id bigint := 0;
  mask integer;
  packed bigint;
  scale integer;
begin
  read := packed_varint(data, "position", stop);
  at := packed_signed(read.value);
  next := read.next;
  while next < stop loop
    read := packed_varint(data, next, stop);
    id := id + packed_signed(read.value);
    next := read.next + 2;
    if next > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    mask := get_byte(data, next - 2) | (get_byte(data, next - 1) << 8);
    for each in 0 .. 15 loop
      continue when mask >> each & 1 = 0;
      read := packed_varint(data, next, stop);
      packed := read.value;
      next := read.next;
      scale := packed & 7;
      if scale = 7 then
        next := next + 8;
        if next > stop or packed > 127 then
          raise data_corrupted using message = 'packed bytes end too early';
        end if;
      end if;
      continue when id <> wanted_block or each <> wanted_slot;
      block_id := id;
      slot := each;
      value := case scale when 7 then packed_double(data, next - 8) else packed_signed(packed >> 3) / 10::float8 ^ scale end;
      return next;
    end loop;
  end loop;
end $$;

-- The values of a subject in a row of the log; `anchor` is its first block. Of equal times the greatest `seq` counts, and of these the
-- greatest `place`.
create function unpack_log_row(data bytea, wanted_anchor bigint, wanted_block integer, wanted_slot integer)
returns table (seq bigint, place integer, at double precision, block_id integer, slot integer, value double precision)
language plpgsql immutable rows 100 as $$
declare
  head constant record := packed_head(data);
  next integer := head.head_start;
  record_start bigint := head.head_end;
  record_end bigint;
  read record;
  sections bigint;
  records bigint;
  anchor bigint;
  bytes bytea;
begin
  place := 0;
  read := packed_varint(data, next, head.head_end);
  sections := read.value;
  next := read.next;
  while sections > 0 loop
    sections := sections - 1;
    read := packed_varint(data, next, head.head_end);
    seq := read.value;
    read := packed_varint(data, read.next, head.head_end);
    records := read.value;
    next := read.next;
    while records > 0 loop
      records := records - 1;
      read := packed_varint(data, next, head.head_end);
      anchor := read.value;
      read := packed_varint(data, read.next, head.head_end);
      record_end := record_start + read.value;
      next := read.next + 4;
      if next > head.head_end or record_end > length(data) then
        raise data_corrupted using message = 'packed bytes end too early';
      end if;
      if anchor = wanted_anchor then
        bytes := substring(data from record_start::integer + 1 for read.value::integer);
        if packed_checksum(bytes) <> packed_uint32(data, read.next) then
          raise data_corrupted using message = 'a packed record differs from its checksum';
        end if;
        return query select unpack_log_row.seq, unpack_log_row.place, r.at, r.block_id, r.slot, r.value
          from unpack_log_record(bytes, 0, length(bytes), wanted_block, wanted_slot) r;
      end if;
      place := place + 1;
      record_start := record_end;
    end loop;
  end loop;
  if next <> head.head_end or record_start <> length(data) then
    raise data_corrupted using message = 'the length of a packed row differs from that of its records';
  end if;
end $$;

revoke all on function packed_head(bytea), packed_part(bytea, integer), unpack_chunk(bytea, integer), unpack_rollups(bytea, integer),
  unpack_log_record(bytea, integer, integer, integer, integer), unpack_log_row(bytea, bigint, integer, integer) from public;
