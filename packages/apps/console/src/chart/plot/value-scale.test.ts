import { expect, it } from 'vitest';
import { valueScale } from './value-scale.ts';

const line = (...values: number[]) => [values.map((avg, t) => ({ t, avg, min: avg, max: avg }))];
const GIB = 1_024 ** 3;

it.each([
  ['percentages from 0 to 100', line(3, 41), 'percent', [0, 20, 40, 60, 80, 100]],
  ['percentages beyond 100', line(3, 240), 'percent', [0, 50, 100, 150, 200, 250]],
  ['others from 0', line(3, 41), null, [0, 10, 20, 30, 40, 50]],
  ['negative values', line(-3, 4), null, [-4, -2, 0, 2, 4]],
  ['small values', line(0.003, 0.0041), null, [0, 0.001, 0.002, 0.003, 0.004, 0.005]],
  ['nothing but zero', line(0, 0), null, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ['no points', [], null, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ['bytes by powers of two', line(1, 9.6 * GIB), 'bytes', [0, 2 * GIB, 4 * GIB, 6 * GIB, 8 * GIB, 10 * GIB]],
  [
    'bytes near a power of two',
    line(700 * 1_024 ** 2),
    'bytes',
    [0, 200, 400, 600, 800].map((mib) => mib * 1_024 ** 2),
  ],
  ['seconds by minutes', line(700), 'seconds', [0, 300, 600, 900]],
  ['milliseconds', line(34), 'milliseconds', [0, 10, 20, 30, 40]],
] as const)('shows %s', (_name, lines, unit, ticks) => {
  const scale = valueScale(lines, { unit, isFitted: false, maxTicks: 5, limits: [] });
  const rounded = scale.ticks.map((tick) => Number(tick.toPrecision(12)));
  expect(rounded).toEqual(ticks);
  expect([scale.min, scale.max, scale.isBroken]).toEqual([scale.ticks[0], scale.ticks.at(-1), false]);
});

it('fits the axis to the values, and says that it does not begin at zero', () => {
  const scale = valueScale(line(97, 99), { unit: 'percent', isFitted: true, maxTicks: 5, limits: [] });
  expect(scale).toMatchObject({ min: 96.5, max: 99.5, isBroken: true });
});

it('shows a threshold that is near the values, and does not flatten them for one that is far', () => {
  const options = { unit: null, isFitted: false, maxTicks: 5 } as const;
  expect(valueScale(line(40), { ...options, limits: [90] }).max).toBe(100);
  expect(valueScale(line(40), { ...options, limits: [9_000] }).max).toBe(40);
});
