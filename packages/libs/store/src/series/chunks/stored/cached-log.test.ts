import { IndexedLogRows } from '@tidewatch/domain/chunk/indexed-log-rows';
import { encodeLogRow, LogRecords } from '@tidewatch/domain/chunk/log-row';
import { expect, test } from 'vitest';
import { BucketRows, LogCache, NO_ROWS } from './cached-log.ts';

/** Rows of one host each. */
function rowsOf(...seqs: number[]): IndexedLogRows {
  const rows = seqs.map((seq) => {
    const records = new LogRecords();
    records.add(7, seq, [7], new Array(16).fill(seq));
    return encodeLogRow([{ seq, records }]);
  });
  const lengths = rows.map(({ length }) => length);
  return new IndexedLogRows(Buffer.concat(rows), seqs, lengths);
}

const seqsIn = (rows: BucketRows | null) => {
  const found: { seq: number; anchor: number; bytes: Buffer; start: number; end: number }[] = [];
  rows?.visitRecords(
    () => true,
    (record) => found.push({ ...record }),
  );
  return found.map(({ seq }) => seq);
};

const KNOWN = new BucketRows(1, [rowsOf(1, 2, 5), rowsOf(7)]);

test.each([
  ['all of them', { fromSeq: 1, count: 4, sum: 15 }, [1, 2, 5, 7]],
  ['those behind what was sealed', { fromSeq: 5, count: 2, sum: 12 }, [5, 7]],
  ['those of the last part', { fromSeq: 7, count: 1, sum: 7 }, [7]],
  ['none of them after a seal of all', { fromSeq: 9, count: 0, sum: 0 }, []],
])('keeps %s where a snapshot has as many', (_, left, expected) => {
  expect(seqsIn(KNOWN.leftIn(left))).toEqual(expected);
});

test.each([
  ['a row that was committed late', { fromSeq: 1, count: 5, sum: 18 }],
  ['a row that was committed late as the first', { fromSeq: 0, count: 5, sum: 15 }],
  ['the rows of an older snapshot', { fromSeq: 1, count: 3, sum: 8 }],
  ['as many rows with other numbers', { fromSeq: 1, count: 4, sum: 16 }],
])('does not know %s', (_, left) => {
  expect(KNOWN.leftIn(left)).toBeNull();
});

test('joins parts once there are many, without the rows that are sealed', () => {
  let rows: BucketRows = KNOWN.leftIn({ fromSeq: 5, count: 2, sum: 12 }) as BucketRows;
  const later = Array.from({ length: 30 }, (_, index) => 10 + index);
  for (const seq of later) rows = rows.with(rowsOf(seq));
  expect(seqsIn(rows)).toEqual([5, 7, ...later]);
  expect(rows.parts.length).toBeLessThan(25);
  expect(rows.parts[0]?.rowSeqs.slice(0, 2)).toEqual([5, 7]);
});

test('keeps the buckets that were asked for last, up to a number of bytes', () => {
  const own = (seq: number) => new BucketRows(seq, [rowsOf(seq)]);
  const cache = new LogCache(2.5 * own(1).size);
  for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) cache.keep(key, own(at + 1));
  expect([cache.of('a').lastSeq, cache.of('b'), cache.of('c').lastSeq]).toEqual([3, NO_ROWS, 4]);
  expect(cache.size).toBe(2 * own(1).size);
});

test('does not replace rows by those of an older snapshot', () => {
  const cache = new LogCache(1e6);
  cache.keep('a', KNOWN);
  cache.keep('a', new BucketRows(1, [rowsOf(1, 2)]));
  expect(cache.of('a')).toBe(KNOWN);
});
