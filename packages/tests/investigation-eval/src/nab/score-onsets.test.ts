import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { scoreOnsets } from './score-onsets.ts';

const labelled = {
  name: 'made up',
  metric: 'cpu_percent',
  series: { times: Float64Array.from({ length: 100 }, (_, i) => i * HOUR_MS), values: new Float64Array(100) },
  windows: [
    [40 * HOUR_MS, 50 * HOUR_MS],
    [70 * HOUR_MS, 80 * HOUR_MS],
  ] as const,
};

test('scoreOnsets counts a window as found by one onset inside, and onsets elsewhere as false', () => {
  const onsets = [41, 45, 60, 90].map((hour) => hour * HOUR_MS);
  expect(scoreOnsets(labelled, onsets)).toEqual({ found: 1, windows: 2, falseOnsets: 2 });
});

test('scoreOnsets ignores the first fifteen percent of a series, and merges onsets less than an hour apart', () => {
  const onsets = [1, 14.9, 60, 60.5, 61.4, 62.5].map((hour) => hour * HOUR_MS);
  expect(scoreOnsets(labelled, onsets)).toEqual({ found: 0, windows: 2, falseOnsets: 2 });
});
