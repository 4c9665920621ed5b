import { expect, it } from 'vitest';
import { createStallMeter } from './stall-meter.ts';

function openMeter() {
  const time = { now: 0 };
  const meter = createStallMeter(() => time.now);
  const tickAt = (now: number) => {
    time.now = now;
    meter.tick();
  };
  return { time, meter, tickAt };
}

it('regular ticks do not count as a stall', () => {
  const { time, meter, tickAt } = openMeter();
  for (let now = 1_000; now <= 5_000; now += 1_000) tickAt(now);
  time.now = 6_900;
  expect(meter.stalledMs()).toBe(0);
});

it('a stall is measured by the first request after it, even before the timer fires, and only once', () => {
  const { time, meter, tickAt } = openMeter();
  tickAt(1_000);
  time.now = 31_000;
  expect(meter.stalledMs()).toBe(29_000);
  tickAt(31_001);
  expect(meter.stalledMs()).toBe(29_000);
});

it('a stall no longer counts after a minute', () => {
  const { meter, tickAt } = openMeter();
  tickAt(20_000);
  for (let now = 21_000; now <= 79_000; now += 1_000) tickAt(now);
  expect(meter.stalledMs()).toBe(19_000);
  tickAt(80_000);
  expect(meter.stalledMs()).toBe(0);
});
