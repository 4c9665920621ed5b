import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ChunkReader, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { cutSql } from '@tidewatch/domain/chunk/slot-parts';
import { storeForFile } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const { sql } = await storeForFile({ sampleLayout: 'log' });

/** One value of each of these kinds has few bytes in a column, one many, and one makes some of its rows absent. */
const value = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(Number.NaN),
);

const chunk = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.array(fc.option(fc.tuple(value, value), { freq: 8 }), { minLength: 16, maxLength: 16 }).map((kinds) => {
    const times = Float64Array.from({ length: count }, (_, row) => 1_764_460_800_000 + row * 10_000);
    const slots = kinds.map((own) => own && times.map((_, row) => own[row % 3 === 0 ? 0 : 1] as number));
    return encodeChunk({ times, slots });
  }),
);

/** The chunks behind each other as the statement of a slot yields them. */
async function cut(chunks: readonly Buffer[], slot: number): Promise<Buffer> {
  const [row] = await sql.unsafe<{ data: Buffer }[]>(
    `select string_agg(${cutSql('c.data', slot)}, '' order by c.place) as data
      from unnest($1::text[]) with ordinality as t (hex, place) cross join lateral (select decode(t.hex, 'hex'), t.place) as c (data, place)`,
    [chunks.map((bytes) => bytes.toString('hex'))] as never[],
  );
  return (row as { data: Buffer }).data;
}

const numbersOf = (reader: ChunkReader, slot: number) => [
  [...reader.times()],
  [...(reader.slot(slot) ?? [])],
];

test('a statement cuts one slot out of chunks, whatever slots and numbers they have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 15 }),
      async (chunks, slot) => {
        const readers = ChunkReader.all(await cut(chunks, slot), slot);
        const whole = chunks.map((bytes) => numbersOf(new ChunkReader(bytes), slot));
        expect(readers.map((reader) => numbersOf(reader, slot))).toEqual(whole);
      },
    ),
    { numRuns: 60 },
  );
});

test('a slot that was cut out takes as many bytes as its part and the head', async () => {
  const times = Float64Array.from({ length: 30 }, (_, row) => row * 10_000);
  const slots = Array.from({ length: 16 }, (_, slot) => times.map((_, row) => ((row * 7 + slot) % 90) / 10));
  const bytes = encodeChunk({ times, slots });
  for (const slot of [0, 7, 8, 15]) {
    const own = await cut([bytes], slot);
    const { start, end } = new ChunkReader(bytes).columnPlace(slot) as { start: number; end: number };
    const first = new ChunkReader(bytes).columnPlace(0) as { start: number };
    expect(own.length).toBe(first.start + end - start);
    expect([...own.subarray(first.start)]).toEqual([...bytes.subarray(start, end)]);
  }
});

test('every changed byte of a chunk that matters to a slot is found after the cut, and none fails the statement', async () => {
  const times = Float64Array.from({ length: 3 }, (_, row) => row * 10_000);
  const slots = Array.from({ length: 16 }, (_, slot) => (slot < 3 ? times.map((at) => at + slot) : null));
  const bytes = encodeChunk({ times, slots });
  const { start, end } = new ChunkReader(bytes).columnPlace(1) as { start: number; end: number };
  const first = new ChunkReader(bytes).columnPlace(0) as { start: number };
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= first.start && (at < start || at >= end)) continue;
    for (const bits of [1, 0x80, 0xff]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ bits;
      const own = await cut([changed], 1);
      expect(() => ChunkReader.all(own, 1).map((reader) => numbersOf(reader, 1))).toThrow(
        MalformedBytesError,
      );
    }
  }
});
