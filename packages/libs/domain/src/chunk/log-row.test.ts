import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { unnoticed } from './damage.fixture.ts';
import { decodeRecord } from './log-record.ts';
import { encodeLogRow, type LogRecord, LogRecords, readLogRecords } from './log-row.ts';
import { anyNumber } from './numbers.fixture.ts';
import { layOutRecord } from './record-layout.ts';

const NOW = Date.UTC(2026, 10, 29, 12);

interface Report {
  anchor: number;
  time: number;
  blocks: [id: number, values: Record<number, number>][];
}

interface Read extends Report {
  seq: number;
}

function recordsOf(reports: readonly Report[]): LogRecords {
  const records = new LogRecords();
  for (const { anchor, time, blocks } of reports)
    records.add(
      anchor,
      time,
      blocks.map(([id]) => id),
      blocks.flatMap(([, values]) => Array.from({ length: 16 }, (_, slot) => values[slot] ?? Number.NaN)),
    );
  return records;
}

const rowOf = (...sections: [seq: number, reports: readonly Report[]][]) =>
  encodeLogRow(sections.map(([seq, reports]) => ({ seq, records: recordsOf(reports) })));

/** What a reader finds; a record without blocks has no time to show. */
function read(bytes: Buffer, isWanted: (anchor: number) => boolean = () => true): Read[] {
  return readLogRecords(bytes, isWanted).map((record) => {
    const found: Read = { seq: record.seq, anchor: record.anchor, time: Number.NaN, blocks: [] };
    decodeRecord(record, ({ id, time, values }) => {
      found.time = time;
      found.blocks.push([
        id,
        Object.fromEntries([...values.entries()].filter(([, value]) => !Number.isNaN(value))),
      ]);
    });
    return found;
  });
}

const WEB: Report = {
  anchor: 7,
  time: NOW,
  blocks: [
    [7, { 0: 57.31, 15: -0 }],
    [9, { 2: 1e300 }],
  ],
};
const MAIL: Report = { anchor: 12, time: NOW - 1, blocks: [[12, { 1: 5e-324 }]] };

test('reads the records of sections in their order', () => {
  expect(read(rowOf([3, [WEB, MAIL]], [4, [WEB]]))).toEqual([
    { seq: 3, ...WEB },
    { seq: 3, ...MAIL },
    { seq: 4, ...WEB },
  ]);
});

test('a host with one metric takes twelve bytes beside the head', () => {
  expect(recordsOf([{ anchor: 1, time: NOW, blocks: [[1, { 0: 57.31 }]] }]).length).toBe(6 + 1 + 2 + 3);
});

test('reads the records of the wanted hosts without those of others, which may be damaged', () => {
  const bytes = rowOf([3, [WEB, MAIL]]);
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] as number) ^ 1;
  expect(read(bytes, (anchor) => anchor === 7)).toEqual([{ seq: 3, ...WEB }]);
  expect(() => read(bytes, (anchor) => anchor === 12)).toThrow(MalformedBytesError);
});

test('copies records from row to row without reading their values', () => {
  const sorted = new LogRecords();
  for (const record of readLogRecords(rowOf([3, [WEB, MAIL]]), (anchor) => anchor === 12))
    sorted.copy(record);
  expect(read(encodeLogRow([{ seq: 3, records: sorted }]))).toEqual([{ seq: 3, ...MAIL }]);
  sorted.clear();
  expect([sorted.count, sorted.length, read(encodeLogRow([{ seq: 4, records: sorted }]))]).toEqual([
    0,
    0,
    [],
  ]);
});

test('reads rows with any sections, hosts, blocks and numbers back bit for bit', () => {
  const values = fc.dictionary(fc.integer({ min: 0, max: 15 }).map(String), anyNumber, { minKeys: 1 });
  const report = fc.record({
    anchor: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    time: fc.integer({ min: -NOW, max: 4 * NOW }),
    blocks: fc.array(fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), values), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  const sections = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 2 ** 48 }), fc.array(report, { maxLength: 5 })),
    {
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(sections, (drawn) => {
      const expected = drawn.flatMap(([seq, reports]) =>
        reports.map(({ blocks, ...report }) => ({
          seq,
          ...report,
          blocks: blocks.map(([id, each]) => [id, { ...each }]),
        })),
      );
      expect(read(rowOf(...drawn))).toEqual(expected);
    }),
  );
});

test('every cut and every changed byte is found', () => {
  expect(unnoticed(rowOf([3, [WEB, MAIL]], [300, [WEB]]), read, MalformedBytesError)).toEqual([]);
});

test('refuses an infinite value, and keeps nothing of its record', () => {
  const records = new LogRecords();
  const values = [...new Array(16).fill(1), ...new Array(16).fill(Number.POSITIVE_INFINITY)];
  expect(() => records.add(1, NOW, [1, 2], values)).toThrow(RangeError);
  expect([records.count, records.length]).toEqual([0, 0]);
});

test('passes over the blocks of a record that are not wanted', () => {
  const values = { 0: -1.5, 3: 5e-324, 4: 2 ** 40, 15: 1e300 };
  const blocks: Report['blocks'] = [
    [7, values],
    [8, { 2: 1 }],
    [12, values],
    [13, { 0: 2 }],
  ];
  const [record] = readLogRecords(rowOf([1, [{ anchor: 7, time: NOW, blocks }]]), () => true);
  const found = (max?: number) => {
    const visited: [number, number | undefined][] = [];
    decodeRecord(
      record as LogRecord,
      ({ id, values: own }) => visited.push([id, own.find((value) => !Number.isNaN(value))]),
      (id) => id === 8 || id === 13,
      max,
    );
    return visited;
  };
  expect(found()).toEqual([
    [8, 1],
    [13, 2],
  ]);
  expect(found(1)).toEqual([[8, 1]]);
});

test('a record of values as they were reported equals the one of the same values by blocks and slots', () => {
  const reported = fc.array(fc.record({ place: fc.nat(70), value: anyNumber }), { maxLength: 60 });
  fc.assert(
    fc.property(
      reported,
      fc.uniqueArray(fc.nat(2 ** 31 - 1), { minLength: 5, maxLength: 5 }),
      (values, ids) => {
        const places = values.map(({ place }) => place);
        const slots = new Float64Array(5 * SLOTS_PER_BLOCK).fill(Number.NaN);
        for (const { place, value } of values) slots[place] = value;
        const layout = layOutRecord(places);
        const laidOut = new LogRecords();
        const blocks = ids.map((id) => ({ id }));
        laidOut.addLaidOut(
          ids[0] as number,
          NOW,
          blocks,
          layout,
          values.map(({ value }) => value),
        );
        const bySlots = new LogRecords();
        bySlots.add(
          ids[0] as number,
          NOW,
          layout.ordinals.map((ordinal) => ids[ordinal] as number),
          layout.ordinals.flatMap((ordinal) => [...slots.subarray(ordinal * 16, ordinal * 16 + 16)]),
        );
        const rowsOf = (records: LogRecords) => encodeLogRow([{ seq: 1, records }]);
        expect(rowsOf(laidOut).equals(rowsOf(bySlots))).toBe(true);
      },
    ),
  );
});

test('a record of values as they were reported refuses a value that is not finite', () => {
  for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])
    expect(() => new LogRecords().addLaidOut(7, NOW, [{ id: 7 }], layOutRecord([3]), [value])).toThrow(
      RangeError,
    );
});
