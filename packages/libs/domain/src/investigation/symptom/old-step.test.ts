import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { minutely, NOON, noise } from '../testing/host-facts.ts';
import { oldStepOf } from './old-step.ts';
import { shiftOf } from './shift.ts';

/** A window of half an hour before the alert, and half an hour of history before that. */
const outlook = { to: NOON, doubtFrom: NOON - 15 * MINUTE_MS, noticedAt: NOON - MINUTE_MS };
const stepBefore = (ago: number, high: number, low: number) => (each: number) =>
  (each < ago ? high : low) + 3 * noise(each);

it('a trouble that began long before the alert, and of which most values are, is found where it began', () => {
  const metric = minutely('cpu_percent', 60, stepBefore(40, 60, 25));
  const shift = shiftOf(metric, outlook);
  expect(shift).toEqual(oldStepOf(metric, outlook));
  expect(shift).toMatchObject({ shape: 'step', startedAt: NOON - 40 * MINUTE_MS });
  expect(shift?.delta).toBeCloseTo(35, -0.5);
  expect(shift?.score).toBeGreaterThan(0.8);
});

it.each([
  ['a fall of what is worse when it rises', 'cpu_percent', stepBefore(40, 25, 60)],
  ['a step within the time in doubt', 'cpu_percent', stepBefore(10, 60, 25)],
  ['a metric that only wavers', 'cpu_percent', (ago: number) => 40 + 10 * noise(ago)],
  [
    'a trouble that was over for a while',
    'cpu_percent',
    (ago: number) => (ago < 40 && (ago < 10 || ago > 20) ? 60 : 25) + 3 * noise(ago),
  ],
  ['a step of which four values before are known', 'cpu_percent', stepBefore(56, 60, 25)],
])('%s is no old step', (_, name, value) => {
  const score = oldStepOf(minutely(name, 60, value), outlook)?.score ?? 0;
  expect(score).toBeLessThan(0.5);
});

it('a metric of which neither direction is worse may step either way', () => {
  const fall = oldStepOf(minutely('temperature_celsius', 60, stepBefore(40, 25, 60)), outlook);
  expect(fall?.delta).toBeCloseTo(-35, -0.5);
});
