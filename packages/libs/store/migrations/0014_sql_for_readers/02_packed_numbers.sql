-- Reads the packed formats of libs/domain/src/chunk. Positions are bytes from 0 on; every read ends at `stop`. Bytes that the
-- product did not write raise data_corrupted, or the error of get_byte() for a position outside.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

-- CRC-32. PostgreSQL has it from version 18 on.
create function packed_checksum(data bytea) returns bigint
language plpgsql immutable strict as $$
declare
  -- The remainders of a byte.
  remainders constant bigint[] := array[
    0, 1996959894, 3993919788, 2567524794, 124634137, 1886057615, 3915621685, 2657392035, 249268274, 2044508324, 3772115230, 2547177864,
    162941995, 2125561021, 3887607047, 2428444049, 498536548, 1789927666, 4089016648, 2227061214, 450548861, 1843258603, 4107580753, 2211677639,
    325883990, 1684777152, 4251122042, 2321926636, 335633487, 1661365465, 4195302755, 2366115317, 997073096, 1281953886, 3579855332, 2724688242,
    1006888145, 1258607687, 3524101629, 2768942443, 901097722, 1119000684, 3686517206, 2898065728, 853044451, 1172266101, 3705015759, 2882616665,
    651767980, 1373503546, 3369554304, 3218104598, 565507253, 1454621731, 3485111705, 3099436303, 671266974, 1594198024, 3322730930, 2970347812,
    795835527, 1483230225, 3244367275, 3060149565, 1994146192, 31158534, 2563907772, 4023717930, 1907459465, 112637215, 2680153253, 3904427059,
    2013776290, 251722036, 2517215374, 3775830040, 2137656763, 141376813, 2439277719, 3865271297, 1802195444, 476864866, 2238001368, 4066508878,
    1812370925, 453092731, 2181625025, 4111451223, 1706088902, 314042704, 2344532202, 4240017532, 1658658271, 366619977, 2362670323, 4224994405,
    1303535960, 984961486, 2747007092, 3569037538, 1256170817, 1037604311, 2765210733, 3554079995, 1131014506, 879679996, 2909243462, 3663771856,
    1141124467, 855842277, 2852801631, 3708648649, 1342533948, 654459306, 3188396048, 3373015174, 1466479909, 544179635, 3110523913, 3462522015,
    1591671054, 702138776, 2966460450, 3352799412, 1504918807, 783551873, 3082640443, 3233442989, 3988292384, 2596254646, 62317068, 1957810842,
    3939845945, 2647816111, 81470997, 1943803523, 3814918930, 2489596804, 225274430, 2053790376, 3826175755, 2466906013, 167816743, 2097651377,
    4027552580, 2265490386, 503444072, 1762050814, 4150417245, 2154129355, 426522225, 1852507879, 4275313526, 2312317920, 282753626, 1742555852,
    4189708143, 2394877945, 397917763, 1622183637, 3604390888, 2714866558, 953729732, 1340076626, 3518719985, 2797360999, 1068828381, 1219638859,
    3624741850, 2936675148, 906185462, 1090812512, 3747672003, 2825379669, 829329135, 1181335161, 3412177804, 3160834842, 628085408, 1382605366,
    3423369109, 3138078467, 570562233, 1426400815, 3317316542, 2998733608, 733239954, 1555261956, 3268935591, 3050360625, 752459403, 1541320221,
    2607071920, 3965973030, 1969922972, 40735498, 2617837225, 3943577151, 1913087877, 83908371, 2512341634, 3803740692, 2075208622, 213261112,
    2463272603, 3855990285, 2094854071, 198958881, 2262029012, 4057260610, 1759359992, 534414190, 2176718541, 4139329115, 1873836001, 414664567,
    2282248934, 4279200368, 1711684554, 285281116, 2405801727, 4167216745, 1634467795, 376229701, 2685067896, 3608007406, 1308918612, 956543938,
    2808555105, 3495958263, 1231636301, 1047427035, 2932959818, 3654703836, 1088359270, 936918000, 2847714899, 3736837829, 1202900863, 817233897,
    3183342108, 3401237130, 1404277552, 615818150, 3134207493, 3453421203, 1423857449, 601450431, 3009837614, 3294710456, 1567103746, 711928724,
    3020668471, 3272380065, 1510334235, 755167117
  ];
  rest bigint := 4294967295;
begin
  if current_setting('server_version_num')::integer >= 180000 then
    return crc32(data);
  end if;
  for at in 0 .. length(data) - 1 loop
    rest := (rest >> 8) # remainders[((rest # get_byte(data, at)) & 255) + 1];
  end loop;
  return rest # 4294967295;
end $$;

create function packed_uint32(data bytea, at integer) returns bigint
language sql immutable strict as $$
  select get_byte(data, at) | (get_byte(data, at + 1) << 8) | (get_byte(data, at + 2) << 16) | (get_byte(data, at + 3)::bigint << 24)
$$;

create function packed_varint(data bytea, at integer, stop integer, out value bigint, out next integer)
language plpgsql immutable strict as $$
declare
  shift integer := 0;
  byte integer;
begin
  value := 0;
  next := at;
  loop
    if next >= stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    byte := get_byte(data, next);
    next := next + 1;
    value := value | ((byte & 127)::bigint << shift);
    exit when byte < 128;
    shift := shift + 7;
    if shift > 49 then
      raise data_corrupted using message = 'a packed number is out of range';
    end if;
  end loop;
  if value > 9007199254740991 then
    raise data_corrupted using message = 'a packed number is out of range';
  end if;
end $$;

-- The signed integer that a varint stands for.
create function packed_signed(zigzag bigint) returns bigint
language sql immutable strict as $$ select case when zigzag & 1 = 0 then zigzag >> 1 else -((zigzag + 1) >> 1) end $$;

-- The eight bytes of a double.
create function packed_double(data bytea, at integer) returns double precision
language plpgsql immutable strict as $$
declare
  exponent constant integer := ((get_byte(data, at + 7) & 127) << 4) | (get_byte(data, at + 6) >> 4);
  fraction constant bigint := get_byte(data, at) | (get_byte(data, at + 1) << 8) | (get_byte(data, at + 2) << 16)
    | (get_byte(data, at + 3)::bigint << 24) | (get_byte(data, at + 4)::bigint << 32) | (get_byte(data, at + 5)::bigint << 40)
    | ((get_byte(data, at + 6) & 15)::bigint << 48);
  magnitude double precision;
begin
  if exponent = 2047 then
    raise data_corrupted using message = 'a packed number is not finite';
  end if;
  -- Powers of two and products with them are exact.
  magnitude := case when exponent = 0 then fraction::float8 * power(2::float8, -1074)
    else (1 + fraction::float8 / 4503599627370496) * power(2::float8, exponent - 1023) end;
  return case when get_byte(data, at + 7) > 127 then -magnitude else magnitude end;
end $$;

-- `total` integers of integers.ts, each divided by `factor`. All are computed by one statement: a loop takes five times as long.
create function packed_integers(data bytea, at integer, stop integer, total integer, factor double precision,
  out numbers double precision[], out next integer)
language plpgsql immutable strict as $$
declare
  read record;
  initial bigint;
  step bigint;
  divisor bigint;
  starts integer[] := '{}';
  widths integer[] := '{}';
  width integer;
  begun integer := 0;
begin
  next := at;
  if total = 0 then
    numbers := '{}';
    return;
  end if;
  read := packed_varint(data, next, stop);
  initial := packed_signed(read.value);
  read := packed_varint(data, read.next, stop);
  step := packed_signed(read.value);
  read := packed_varint(data, read.next, stop);
  divisor := read.value;
  next := read.next;
  if divisor = 0 then
    numbers := array(select (initial + step * n)::float8 / factor from generate_series(0::bigint, total - 1) n order by n);
    return;
  end if;
  while begun < total - 1 loop
    if next >= stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    width := get_byte(data, next);
    if width not in (0, 1, 2, 3, 4, 8) then
      raise data_corrupted using message = 'a packed frame has an unknown width';
    end if;
    starts := starts || (next + 1);
    widths := widths || width;
    next := next + 1 + width * least(64, total - 1 - begun);
    begun := begun + 64;
  end loop;
  if next > stop then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  numbers := array(
    select (initial + sum(d.distance) over (order by d.n rows unbounded preceding)) / factor
    from (
      select 0::bigint as n, 0::float8 as distance
      union all
      select (f.n - 1) * 64 + k + 1, step + divisor * (case f.width
        when 0 then 0
        when 1 then (get_byte(data, f.start + k) # 128) - 128
        when 2 then ((get_byte(data, f.start + k * 2) | (get_byte(data, f.start + k * 2 + 1) << 8)) # 32768) - 32768
        when 3 then ((get_byte(data, f.start + k * 3) | (get_byte(data, f.start + k * 3 + 1) << 8)
          | (get_byte(data, f.start + k * 3 + 2) << 16)) # 8388608) - 8388608
        when 4 then get_byte(data, f.start + k * 4) | (get_byte(data, f.start + k * 4 + 1) << 8)
          | (get_byte(data, f.start + k * 4 + 2) << 16) | (get_byte(data, f.start + k * 4 + 3) << 24)
        else packed_uint32(data, f.start + k * 8) | (packed_uint32(data, f.start + k * 8 + 4) << 32)
      end)::float8
      from unnest(starts, widths) with ordinality as f (start, width, n) cross join generate_series(0, 63) k
      where (f.n - 1) * 64 + k < total - 1
    ) d
    order by d.n
  );
end $$;

-- `total` numbers of numbers.ts; null stands for an absent one.
create function packed_numbers(data bytea, at integer, stop integer, total integer, out numbers double precision[], out next integer)
language plpgsql immutable strict as $$
declare
  kind integer;
  bits bytea;
  taken integer := total;
  dense double precision[];
  read record;
begin
  if at >= stop then
    raise data_corrupted using message = 'packed bytes end too early';
  end if;
  kind := get_byte(data, at);
  next := at + 1;
  if kind > 15 then
    raise data_corrupted using message = 'packed numbers are of an unknown kind';
  end if;
  if kind & 8 <> 0 then
    bits := substring(data from next + 1 for (total + 7) / 8);
    next := next + (total + 7) / 8;
    if next > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    taken := bit_count(bits);
    if total % 8 <> 0 and get_byte(bits, length(bits) - 1) >> (total % 8) <> 0 then
      raise data_corrupted using message = 'a packed number lies behind the last row';
    end if;
  end if;
  if kind & 7 = 7 then
    if next + taken * 8 > stop then
      raise data_corrupted using message = 'packed bytes end too early';
    end if;
    dense := array(select packed_double(data, next + n * 8) from generate_series(0, taken - 1) n order by n);
    next := next + taken * 8;
  else
    read := packed_integers(data, next, stop, taken, 10 ^ (kind & 7));
    dense := read.numbers;
    next := read.next;
  end if;
  numbers := dense;
  if bits is not null then
    numbers := array(
      select case when p.bit = 1 then dense[p.place] end
      from (
        select n, get_bit(bits, n) as bit, (sum(get_bit(bits, n)) over (order by n rows unbounded preceding))::integer as place
        from generate_series(0, total - 1) n
      ) p order by p.n
    );
  end if;
end $$;

revoke all on function packed_checksum(bytea), packed_uint32(bytea, integer), packed_varint(bytea, integer, integer), packed_signed(bigint),
  packed_double(bytea, integer), packed_integers(bytea, integer, integer, integer, double precision),
  packed_numbers(bytea, integer, integer, integer) from public;
