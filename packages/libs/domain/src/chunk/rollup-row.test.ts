import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unnoticed } from './damage.fixture.ts';
import { bitsOf, columnOf } from './numbers.fixture.ts';
import { decodeRollupRow, encodeRollupRow, type RollupColumns, RollupRowReader } from './rollup-row.ts';
import { peekSlots } from './slot-parts.ts';

/** Columns of which a step has all four numbers or none. */
function columns(
  steps: readonly ([sum: number, count: number, min: number, max: number] | null)[],
): RollupColumns {
  const column = (at: number) => Float64Array.from(steps, (step) => step?.[at] ?? Number.NaN);
  return { sums: column(0), counts: column(1), mins: column(2), maxs: column(3) };
}

const plain = (slots: readonly (RollupColumns | null)[]) =>
  slots.map((slot) => slot && [slot.sums, slot.counts, slot.mins, slot.maxs].map(bitsOf));

const EXAMPLE = [
  columns([[342.6, 6, 57.05, 57.15], null, [57.1, 1, 57.1, 57.1], [-0, 2, -0, 5e-324]]),
  null,
  columns([null, null, null, [1 / 3, 1, 1 / 3, 1 / 3]]),
];
const PADDED = [...EXAMPLE, ...new Array(13).fill(null)];

test('reads an example back, all slots and one alone', () => {
  const bytes = encodeRollupRow(4, EXAMPLE);
  expect([decodeRollupRow(bytes).steps, plain(decodeRollupRow(bytes).slots)]).toEqual([4, plain(PADDED)]);
  const reader = new RollupRowReader(bytes);
  expect([reader.mask, reader.slot(2), reader.slot(1)]).toEqual([0b101, EXAMPLE[2], null]);
});

test('reads rows with numbers and gaps of every kind back bit for bit', () => {
  const rows = fc.integer({ min: 1, max: 100 }).chain((steps) =>
    fc.array(fc.tuple(columnOf(steps, 20), columnOf(steps, 0), columnOf(steps, 0), columnOf(steps, 0)), {
      maxLength: 16,
    }),
  );
  fc.assert(
    fc.property(rows, (drawn) => {
      const slots = drawn.map(([counts, ...others]) => {
        // A step without a count has none of the others.
        const [sums, mins, maxs] = others.map((column) =>
          column.map((number, step) => (Number.isNaN(counts[step]) ? Number.NaN : number)),
        ) as [Float64Array, Float64Array, Float64Array];
        return { sums, counts, mins, maxs };
      });
      const steps = drawn[0]?.[0].length ?? 1;
      const padded = [...slots, ...new Array(16 - slots.length).fill(null)];
      expect(plain(decodeRollupRow(encodeRollupRow(steps, slots)).slots)).toEqual(plain(padded));
    }),
    { numRuns: 100 },
  );
});

test('every cut and every changed byte is found', () => {
  expect(unnoticed(encodeRollupRow(4, EXAMPLE), decodeRollupRow, MalformedBytesError)).toEqual([]);
});

test.each([
  ['no steps', 0, []],
  ['more steps than minutes of a day', 1_441, []],
  ['a column of another length', 2, [columns([[1, 1, 1, 1]])]],
  ['a count without a sum', 1, [columns([[Number.NaN, 1, 1, 1]])]],
])('refuses %s', (_, steps, slots) => {
  expect(() => encodeRollupRow(steps, slots)).toThrow(RangeError);
});

test('reads the rollups of a slot that were fetched without the others', () => {
  const bytes = encodeRollupRow(4, EXAMPLE);
  const { headEnd, places } = peekSlots(bytes);
  const { start, end } = places.of(2) as { start: number; end: number };
  const reader = new RollupRowReader(bytes.subarray(0, headEnd), false);
  expect(reader.part(2, bytes.subarray(start, end))).toEqual(EXAMPLE[2]);
  expect(() => reader.part(0, bytes.subarray(start, end))).toThrow(MalformedBytesError);
  expect(() => reader.part(1, bytes)).toThrow(RangeError);
});
