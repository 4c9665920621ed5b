import { expect, test } from 'vitest';
import { messagesWithin } from './messages-within.ts';

test('messagesWithin returns the max number of times within a period that excludes its end', () => {
  const times = [0, 400, 900, 1_000, 1_100, 5_000];
  expect(messagesWithin(times, 1_000)).toBe(4);
  expect(messagesWithin(times, 100)).toBe(1);
  expect(messagesWithin(times, 101)).toBe(2);
  expect(messagesWithin(times, 10_000)).toBe(6);
  expect(messagesWithin([], 10_000)).toBe(0);
});
