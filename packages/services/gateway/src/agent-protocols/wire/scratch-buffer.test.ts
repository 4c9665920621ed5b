import { expect, test } from 'vitest';
import { ScratchBuffer } from './scratch-buffer.ts';

test('a buffer that was given back is the next one, with the length that is asked for', () => {
  const scratch = new ScratchBuffer();
  const first = scratch.take(100);
  scratch.giveBack(first);
  const second = scratch.take(60_000);
  expect(second).toHaveLength(60_000);
  expect(second.buffer).toBe(first.buffer);
});

test('two buffers at the same time share no memory', () => {
  const scratch = new ScratchBuffer();
  const first = scratch.take(100);
  expect(scratch.take(100).buffer).not.toBe(first.buffer);
});

test('the larger of two that were given back is kept, unless it has more than a mebibyte', () => {
  const scratch = new ScratchBuffer();
  const [small, large, huge] = [scratch.take(100), scratch.take(200_000), scratch.take(2_000_000)];
  for (const buffer of [small, large, huge]) scratch.giveBack(buffer);
  expect(scratch.take(100).buffer).toBe(large.buffer);
  expect(scratch.take(100).buffer).not.toBe(huge.buffer);
});
