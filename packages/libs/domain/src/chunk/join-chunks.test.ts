import { expect, test } from 'vitest';
import { type ChunkColumns, encodeChunk } from './chunk.ts';
import { joinChunks } from './join-chunks.ts';

const chunkOf = (times: readonly number[], slots: Record<number, readonly number[]>): ChunkColumns => ({
  times: Float64Array.from(times),
  slots: Array.from({ length: 16 }, (_, slot) => (slots[slot] ? Float64Array.from(slots[slot]) : null)),
});
const early = encodeChunk(chunkOf([1, 2], { 0: [5, 6], 3: [7, Number.NaN] }));
const late = encodeChunk(chunkOf([9], { 3: [8], 15: [1.5] }));

test('joins the rows of chunks with NaN where one has no value of a slot', () => {
  const none = Number.NaN;
  const columns = chunkOf([1, 2, 9], { 0: [5, 6, none], 3: [7, none, 8], 15: [none, none, 1.5] });
  expect(joinChunks([early, late])).toEqual({ columns, damaged: 0, error: null });
});

test('leaves out damaged chunks, and counts them', () => {
  const damaged = Buffer.from(late);
  damaged[damaged.length - 1] = 0xff;
  const joined = joinChunks([early, damaged, Buffer.of(1)]);
  expect([joined.columns?.times, joined.damaged]).toEqual([Float64Array.of(1, 2), 2]);
  expect(joined.error?.message).toContain('checksum');
  expect(joinChunks([Buffer.of(1)]).columns).toBeNull();
});

test.each([[[late, early]], [[early, early]]])('refuses chunks that overlap', (chunks) => {
  expect(() => joinChunks(chunks)).toThrow('chunks of a block overlap');
});
