import { DAY_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsualInterval } from './interval.ts';

describe('the usual interval', () => {
  test.each<[string, number[], number]>([
    ['is unknown before any sample', [], 0],
    ['is unknown after one sample', [5], 0],
    ['is unknown after one interval', [0, 10], 0],
    ['is known after two', [0, 10, 20], 10],
    ['is not made by one gap', [0, 10, 500], 10],
    ['follows the last nine only', [0, 10, 20, 30, 130, 230, 330, 430, 530, 630, 730, 830, 930], 100],
    ['ignores samples that come late', [0, 10, 5, 20, 3, 30], 10],
    ['ignores a second sample of one time', [0, 10, 10, 10, 20], 10],
    ['is at most a day', [0, 30 * DAY_MS, 60 * DAY_MS, 90 * DAY_MS], DAY_MS],
  ])('%s', (_, times, wanted) => {
    const interval = new UsualInterval();
    for (const time of times) interval.observe(time);
    expect(interval.ms).toBe(wanted);
  });

  test('keeps the interval from before a restart until enough intervals have been observed', () => {
    const interval = new UsualInterval({ ms: 60_000, lastTime: 0 });
    interval.observe(10_000);
    expect(interval.ms).toBe(60_000);
    interval.observe(20_000);
    expect(interval.ms).toBe(10_000);
  });

  test('is the lower median of the last nine forward steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * DAY_MS }), { maxLength: 40 }), (times) => {
        const interval = new UsualInterval();
        for (const time of times) interval.observe(time);
        const forwards = times.filter((time, index) =>
          times.slice(0, index).every((earlier) => earlier < time),
        );
        const steps = forwards
          .slice(1)
          .map((time, index) => Math.min(DAY_MS, time - (forwards[index] as number)));
        const last = steps.slice(-9).sort((a, b) => a - b);
        expect(interval.ms).toBe(last.length < 2 ? 0 : last[Math.ceil(last.length / 2) - 1]);
      }),
    );
  });
});
