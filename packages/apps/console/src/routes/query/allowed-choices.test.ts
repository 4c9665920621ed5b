import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { allowedChoices } from './allowed-choices.ts';

const fault = (path: string, message: string, code = 'too_large') => ({
  in: 'body' as const,
  path,
  code,
  message,
});
const labels = (...given: Parameters<typeof allowedChoices>) =>
  allowedChoices(...given).map(({ label }) => label);

it('offers coarser steps and a shorter range where too many rows would be read', () => {
  const message =
    'Would read some 3000000 rows of 400 hosts, and 2000000 are allowed: at most 33 hosts for this range and step.';
  expect(labels([fault('', message)], 7 * DAY_MS)).toEqual(['1-hour steps', '1-day steps', 'Last hour']);
  expect(labels([fault('', message)], HOUR_MS)).toEqual(['1-hour steps', '1-day steps']);
});

it('offers the number of groups that is allowed', () => {
  const message =
    'Would answer 400 groups of 720 points, and 200000 points are allowed: at most 277 groups for this range and step.';
  expect(allowedChoices([fault('/top', message)], HOUR_MS)[0]).toEqual({
    label: 'Top 277 groups',
    change: { top: 100 },
  });
});

it('offers a step that is no finer than allowed', () => {
  const message = 'Must be at least 55 seconds for this range: a series has at most 11,000 points.';
  expect(allowedChoices([fault('/step', message, 'out_of_range')], 7 * DAY_MS)).toEqual([
    { label: '1-hour steps', change: { step: 3_600 } },
  ]);
});

it('offers nothing for other faults', () => {
  expect(allowedChoices([fault('/metric', 'Must not be empty.', 'too_short')], HOUR_MS)).toEqual([]);
});
