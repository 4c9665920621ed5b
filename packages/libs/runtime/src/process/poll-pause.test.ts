import { expect, test } from 'vitest';
import { PollPause, RESTS_AFTER_MS } from './poll-pause.ts';

test('polls rest from the beginning, and a second after the last work', () => {
  const pause = new PollPause({ everyMs: 50, atRestMs: 250 });
  expect(pause.after(false, 0)).toBe(250);
  expect(pause.after(true, 10)).toBe(50);
  expect(pause.after(false, 10 + RESTS_AFTER_MS - 1)).toBe(50);
  expect(pause.after(false, 10 + RESTS_AFTER_MS)).toBe(250);
  expect(pause.after(true, 5_000)).toBe(50);
});

test('a pause at rest is no shorter than while there is work', () => {
  expect(new PollPause({ everyMs: 500, atRestMs: 250 }).after(false, 0)).toBe(500);
});
