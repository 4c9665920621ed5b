import { expect, it } from 'vitest';
import { gapsOf, segmentsOf, silenceAfter } from './gaps.ts';

const at = (...seconds: number[]) => seconds.map((second) => ({ t: second * 1_000 }));
const TEN = { stepMs: 10_000, intervalMs: 10_000 };

it.each([
  ['no points', at(), TEN, []],
  ['one point', at(10), TEN, [[0, 0]]],
  ['regular points', at(0, 10, 20), TEN, [[0, 2]]],
  ['an empty step by jitter', at(0, 10, 30, 40), TEN, [[0, 3]]],
  [
    'two empty steps',
    at(0, 10, 40, 50),
    TEN,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [
    'a single point between gaps',
    at(0, 100, 200),
    TEN,
    [
      [0, 0],
      [1, 1],
      [2, 2],
    ],
  ],
  ['samples rarer than the step', at(0, 120, 240), { stepMs: 60_000, intervalMs: 60_000 }, [[0, 2]]],
  ['an unknown interval', at(0, 15, 30), { stepMs: 10_000, intervalMs: null }, [[0, 2]]],
  [
    'an unknown interval and two steps',
    at(0, 20),
    { stepMs: 10_000, intervalMs: null },
    [
      [0, 0],
      [1, 1],
    ],
  ],
] as const)('joins %s as it should', (_name, points, spacing, segments) => {
  expect(segmentsOf(points, spacing)).toEqual(segments);
});

it('shows no gap with samples every 10 s that come up to 3 s early or late', () => {
  const times = Array.from({ length: 500 }, (_, index) => index * 10 + ((index * 7) % 7) - 3 + 10);
  const steps = [...new Set(times.map((time) => Math.floor(time / 10) * 10))];
  expect(steps.length).toBeLessThanOrEqual(500);
  expect(gapsOf(at(...steps), TEN)).toEqual([]);
});

it('names a gap from the end of the step before it to the point after it', () => {
  expect(gapsOf(at(0, 10, 610, 620), TEN)).toEqual([{ from: 20_000, to: 610_000 }]);
});

it.each([
  ['while the next sample may come', 20, 44, undefined],
  ['once two and a half intervals are over', 20, 56, { from: 30_000, to: 56_000 }],
  ['no further than the range', 20, 1_000, { from: 30_000, to: 100_000 }],
])('hatches %s', (_name, last, now, hatched) => {
  const range = { from: 0, to: 100_000 };
  expect(silenceAfter(at(0, 10, last), TEN, range, now * 1_000)).toEqual(hatched);
});

it('hatches nothing where no sample ever came', () => {
  expect(silenceAfter([], TEN, { from: 0, to: 100 }, 100)).toBeUndefined();
});
