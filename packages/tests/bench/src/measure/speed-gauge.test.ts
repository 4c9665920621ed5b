import { expect, test } from 'vitest';
import { startSpeedGauge, unitCost } from './speed-gauge.ts';

test('the cost of a unit is what was spent between two readings', () => {
  expect(unitCost({ units: 10, cpuSeconds: 1 }, { units: 30, cpuSeconds: 2 })).toBeCloseTo(0.05);
});

test('no unit between two readings is no measurement', () => {
  const reading = { units: 10, cpuSeconds: 1 };
  expect(() => unitCost(reading, reading)).toThrow(RangeError);
});

test('a gauge works on and tells what it took', async () => {
  const gauge = await startSpeedGauge();
  try {
    const before = gauge.read();
    await expect.poll(() => gauge.read().units).toBeGreaterThan(before.units + 2);
    expect(unitCost(before, gauge.read())).toBeGreaterThan(0);
  } finally {
    gauge.stop();
  }
});
