import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { expect, test } from 'vitest';
import { unnoticed } from './damage.fixture.ts';
import { IndexedLogRows, type PlacedRecord } from './indexed-log-rows.ts';
import { decodeRecord } from './log-record.ts';
import { encodeLogRow, LogRecords } from './log-row.ts';

const NOW = Date.UTC(2026, 10, 30);

/** A row whose records have the number of their transaction as value; each is of the hosts 7 and 12. */
function rowOf(...seqs: number[]): Buffer {
  return encodeLogRow(
    seqs.map((seq) => {
      const records = new LogRecords();
      for (const anchor of [7, 12])
        records.add(anchor, NOW, [anchor], [seq, ...new Array(15).fill(Number.NaN)]);
      return { seq, records };
    }),
  );
}

function indexed(...rows: number[][]): IndexedLogRows {
  const packed = rows.map((seqs) => rowOf(...seqs));
  return new IndexedLogRows(
    Buffer.concat(packed),
    rows.map(([seq]) => seq as number),
    packed.map(({ length }) => length),
  );
}

function read(rows: IndexedLogRows, isWanted: (anchor: number) => boolean, fromSeq = 0) {
  const found: PlacedRecord[] = [];
  rows.visitRecords(isWanted, fromSeq, (record) => found.push({ ...record }));
  return found.flatMap((record) => {
    const values: [seq: number, id: number, value: number | undefined][] = [];
    decodeRecord(record, ({ id, values: own }) => values.push([record.seq, id, own[0]]));
    return values;
  });
}

const isTwelve = (anchor: number) => anchor === 12;

test('finds the records of a host in rows that lie behind each other, from a row on', () => {
  const rows = indexed([3], [4, 6], [9]);
  expect(read(rows, isTwelve)).toEqual([3, 4, 6, 9].map((seq) => [seq, 12, seq]));
  expect(read(rows, isTwelve, 4)).toEqual([4, 6, 9].map((seq) => [seq, 12, seq]));
  expect(read(rows, isTwelve, 10)).toEqual([]);
});

test('joins rows without those before a number', () => {
  const joined = IndexedLogRows.join([indexed([3], [4, 6]), indexed([9]), indexed([10])], 4);
  expect(joined.rowSeqs).toEqual([4, 9, 10]);
  expect(read(joined, () => true)).toEqual(
    [4, 6, 9, 10].flatMap((seq) => [7, 12].map((id) => [seq, id, seq])),
  );
  expect(joined.size).toBeGreaterThan(rowOf(4, 6).length + rowOf(9).length + rowOf(10).length);
});

test('finds every cut and every changed byte of rows whose records are all asked for', () => {
  const [first, second] = [rowOf(3), rowOf(4)];
  const readAll = (bytes: Buffer) =>
    read(new IndexedLogRows(bytes, [3, 4], [first.length, second.length]), () => true);
  expect(unnoticed(Buffer.concat([first, second]), readAll, MalformedBytesError)).toEqual([]);
});

test('answers about a host while a record of another one is damaged', () => {
  const bytes = Buffer.concat([rowOf(3), rowOf(4)]);
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] as number) ^ 1;
  const rows = new IndexedLogRows(bytes, [3, 4], [rowOf(3).length, rowOf(4).length]);
  expect(read(rows, (anchor) => anchor === 7).map(([seq]) => seq)).toEqual([3, 4]);
  expect(() => read(rows, isTwelve)).toThrow(MalformedBytesError);
});
