import { expect, test } from 'vitest';
import { type ChunkColumns, encodeChunk } from './chunk.ts';
import { ChunkJoin } from './join-chunks.ts';

const chunkOf = (times: readonly number[], slots: Record<number, readonly number[]>): ChunkColumns => ({
  times: Float64Array.from(times),
  slots: Array.from({ length: 16 }, (_, slot) => (slots[slot] ? Float64Array.from(slots[slot]) : null)),
});
const early = encodeChunk(chunkOf([1, 2], { 0: [5, 6], 3: [7, Number.NaN] }));
const chunkOfAll = encodeChunk(
  chunkOf([3], Object.fromEntries(Array.from({ length: 16 }, (_, slot) => [slot, [slot]]))),
);
const late = encodeChunk(chunkOf([9], { 3: [8], 15: [1.5] }));

const joined = new ChunkJoin();

/** Joins chunks in the memory that all tests use. */
function join(...chunks: Buffer[]): ChunkJoin {
  joined.clear();
  for (const chunk of chunks) joined.add(chunk);
  return joined;
}

test('joins the rows of chunks with NaN where one has no value of a slot', () => {
  const none = Number.NaN;
  const columns = chunkOf([1, 2, 9], { 0: [5, 6, none], 3: [7, none, 8], 15: [none, none, 1.5] });
  join(chunkOfAll, late);
  join(early, late);
  expect([joined.columns(), joined.damaged]).toEqual([columns, []]);
});

test('leaves out damaged chunks, and returns them', () => {
  const damaged = Buffer.from(late);
  damaged[damaged.length - 1] = 0xff;
  join(early, damaged, Buffer.of(1));
  expect(joined.columns()?.times).toEqual(Float64Array.of(1, 2));
  expect(joined.damaged.map(({ bytes }) => bytes)).toEqual([damaged, Buffer.of(1)]);
  expect(joined.damaged[0]?.error.message).toContain('checksum');
  expect(join(Buffer.of(1)).columns()).toBeNull();
});

test.each([
  ['in another order', late, early],
  ['twice', early, early],
])('refuses chunks %s', (_, first, second) => {
  expect(() => join(first, second)).toThrow('chunks of a block overlap');
});
