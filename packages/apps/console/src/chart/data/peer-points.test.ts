import { expect, it } from 'vitest';
import { peerPoints } from './peer-points.ts';

const response = (...values: number[]) => ({
  series: [
    {
      group: null,
      host: null,
      part: null,
      points: values.map((value, index) => ({ t: `2026-11-26T03:0${index}:00.000Z`, value })),
    },
  ],
});

it('joins percentiles of the same steps, also where one response has a step less', () => {
  const first = Date.parse('2026-11-26T03:00:00Z');
  expect(peerPoints(response(1), response(5, 6), response(9, 4))).toEqual([
    { t: first, avg: 5, min: 1, max: 9 },
    { t: first + 60_000, avg: 6, min: 6, max: 6 },
  ]);
});

it('has no points where no host has the metric', () => {
  expect(peerPoints({ series: [] }, { series: [] }, { series: [] })).toEqual([]);
});
