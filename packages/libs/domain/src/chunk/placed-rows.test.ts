import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unnoticed } from './damage.fixture.ts';
import { IndexedLogRows } from './indexed-log-rows.ts';
import { encodeLogRow, LogRecords } from './log-row.ts';
import { anyNumber } from './numbers.fixture.ts';
import { PlacedRows } from './placed-rows.ts';

const NOW = Date.UTC(2026, 10, 30);
/** The blocks of a subject; 1 is its anchor. */
const BLOCKS = [1, 2, 5] as const;
const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);

type Values = Record<number, number>;

/** What one transaction has of a subject at a time: the values of each of its blocks, by slot. */
interface Sent {
  time: number;
  blocks: readonly Values[];
}

const sent: fc.Arbitrary<Sent> = fc.record({
  time: fc.integer({ min: -8, max: 8 }).map((step) => NOW + step * 10_000),
  blocks: fc.array(fc.dictionary(fc.integer({ min: 0, max: 15 }).map(String), anyNumber, { maxKeys: 5 }), {
    minLength: BLOCKS.length,
    maxLength: BLOCKS.length,
  }),
});

function encodedRow(seq: number, all: readonly Sent[]): Buffer {
  const records = new LogRecords();
  for (const { time, blocks } of all) {
    const values = blocks.flatMap((own) => SLOTS.map((slot) => own[slot] ?? Number.NaN));
    records.add(BLOCKS[0], time, BLOCKS, values);
  }
  return encodeLogRow([{ seq, records }]);
}

/** A row of the log for each transaction, whose number is `seq`. */
function indexed(transactions: readonly { seq: number; all: readonly Sent[] }[]): IndexedLogRows {
  const rows = transactions.map(({ seq, all }) => encodedRow(seq, all));
  const seqs = transactions.map(({ seq }) => seq);
  const lengths = rows.map(({ length }) => length);
  return new IndexedLogRows(Buffer.concat(rows), seqs, lengths);
}

function place(rows: PlacedRows, found: IndexedLogRows, wanted: readonly number[]): void {
  const isWanted = (blockId: number) => wanted.includes(blockId);
  found.visitRecords(
    () => true,
    0,
    (record) => rows.add(record, isWanted, wanted.length),
  );
}

function modelOf(transactions: readonly { all: readonly Sent[] }[], ordinal: number): Map<number, Values> {
  const model = new Map<number, Values>();
  for (const { all } of transactions)
    for (const { time, blocks } of all) {
      const values = blocks[ordinal] as Values;
      if (Object.keys(values).length > 0) model.set(time, { ...model.get(time), ...values });
    }
  return new Map([...model].sort(([a], [b]) => a - b));
}

test('finds rows that come late, twice, in parts and in two buckets as a map by time and slot does', () => {
  const transactions = fc.array(fc.record({ all: fc.array(sent, { maxLength: 3 }), isMixed: fc.boolean() }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(transactions, fc.subarray([...BLOCKS]), (given, wanted) => {
      const numbered = given.map((each, index) => ({ ...each, seq: index + 1 }));
      const rows = new PlacedRows();
      for (const isMixed of [true, false])
        place(rows, indexed(numbered.filter((each) => each.isMixed === isMixed)), wanted);
      for (const [ordinal, block] of BLOCKS.entries()) {
        const model = wanted.includes(block) ? modelOf(numbered, ordinal) : new Map<number, Values>();
        expect(rows.has(block)).toBe(model.size > 0);
        for (const [from, to] of [
          [NOW - 30_000, NOW],
          [NOW, NOW + 1],
        ] as const)
          expect(rows.hasRowsIn(block, from, to)).toBe([...model.keys()].some((at) => at >= from && at < to));
        if (model.size === 0) continue;
        const times = [...model.keys()];
        const { times: own, slots } = rows.columnsOf(block);
        expect([...rows.timesOf(block)]).toEqual(times);
        expect([...own]).toEqual(times);
        for (const slot of SLOTS) {
          const numbers = [...model.values()].map((values) => values[slot] ?? Number.NaN);
          const alone = rows.slotOf(block, slot);
          expect([[...alone.times], [...alone.numbers]]).toEqual([times, numbers]);
          expect([...(slots[slot] ?? times.map(() => Number.NaN))]).toEqual(numbers);
        }
      }
    }),
  );
});

test('finds more rows than it has memory for at first, in the order of their times', () => {
  const all = Array.from({ length: 1_500 }, (_, index): Sent => {
    const time = NOW + ((index * 7_919) % 1_500) * 1_000;
    return { time, blocks: BLOCKS.map((block) => ({ 3: time / 1_000 + block, 9: index })) };
  });
  const rows = new PlacedRows();
  place(rows, indexed([{ seq: 1, all }]), BLOCKS);
  for (const block of BLOCKS) {
    const { times, numbers } = rows.slotOf(block, 3);
    expect([...numbers]).toEqual([...times].map((time) => time / 1_000 + block));
    expect(times[1_499]).toBe(NOW + 1_499_000);
  }
});

test('throws for a block without rows', () => {
  expect(() => new PlacedRows().timesOf(1)).toThrow(RangeError);
});

test('finds every cut and every changed byte of rows of which one slot is decoded', () => {
  const all = [{ time: NOW, blocks: BLOCKS.map((block) => ({ 0: block / 10, 7: 1e9 * block, 8: Math.PI })) }];
  const bytes = encodedRow(1, all);
  const read = (changed: Buffer) => {
    const rows = new PlacedRows();
    place(rows, new IndexedLogRows(changed, [1], [bytes.length]), BLOCKS);
    return BLOCKS.map((block) => rows.slotOf(block, 8));
  };
  expect(unnoticed(bytes, read, MalformedBytesError)).toEqual([]);
});
