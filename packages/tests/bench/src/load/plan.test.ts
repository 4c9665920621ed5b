import { expect, test } from 'vitest';
import { planOf } from './plan.fixture.ts';
import { tickAt, timeOf } from './plan.ts';

const plan = planOf({ paced: true });

test.each([plan, { ...plan, pauseMs: 30_000 }, { ...plan, paced: false, pauseMs: 25_000 }])(
  'tickAt returns the tick of a sample time, for %j',
  (given) => {
    for (let tick = 0; tick < given.ticks; tick += 1)
      expect(tickAt(given, 3, timeOf(given, 3, tick))).toBe(tick);
    for (const tick of [0, 1, 3]) expect(tickAt(given, 3, timeOf(given, 3, tick) + 1)).toBeUndefined();
    expect(tickAt(given, 3, timeOf(given, 3, 0) - given.stepMs)).toBeUndefined();
    expect(tickAt(given, 3, timeOf(given, 3, given.ticks))).toBeUndefined();
  },
);

test('tickAt returns no tick for a time within the pause', () => {
  const given = { ...plan, pauseMs: 30_000 };
  expect(timeOf(given, 0, 1) - timeOf(given, 0, 0)).toBe(40_000);
  for (const after of [10_000, 20_000, 30_000])
    expect(tickAt(given, 0, timeOf(given, 0, 0) + after)).toBeUndefined();
});
