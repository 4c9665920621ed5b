import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, DEFAULT_RETENTION, retainedFrom, type Tier, tierForStep } from './buckets.ts';
import { MAX_POINTS, minStepMs, planSeries, type SeriesRange } from './plan.ts';
import { parseStep } from './step.ts';

const NOW = Date.parse('2026-11-21T12:34:56Z');
const ask = (fields: Partial<SeriesRange>) =>
  planSeries({
    from: NOW - HOUR_MS,
    to: NOW,
    stepMs: null,
    now: NOW,
    retention: DEFAULT_RETENTION,
    ...fields,
  });

describe('steps', () => {
  test.each([
    ['60', 60_000],
    ['1', 1_000],
    ['30s', 30_000],
    ['1m', 60_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['7d', 604_800_000],
  ])('%s', (text, wanted) => expect(parseStep(text)).toBe(wanted));

  test.each(['', '0', '0m', '-1', '1.5', '1e3', '1w', '1M', 'm', ' 60', '60 ', '999999999999d', '١'])(
    'refuses %j',
    (text) => expect(parseStep(text)).toBeUndefined(),
  );
});

describe('tiers', () => {
  test.each<[number, Tier]>([
    [1, 'raw'],
    [59, 'raw'],
    [60, '1m'],
    [90, 'raw'],
    [300, '1m'],
    [3_599, 'raw'],
    [3_600, '1h'],
    [5_400, '1m'],
    [7_200, '1h'],
    [86_400, '1d'],
    [90_000, '1h'],
    [604_800, '1d'],
  ])('a step of %d s is read from %s', (seconds, tier) => expect(tierForStep(seconds * 1_000)).toBe(tier));

  test('buckets are aligned to the epoch, before it too', () => {
    expect([bucketOf(119_999, MINUTE_MS), bucketOf(120_000, MINUTE_MS), bucketOf(-1, MINUTE_MS)]).toEqual([
      60_000, 120_000, -60_000,
    ]);
  });

  test('retention ends at the start of a UTC day', () => {
    expect(retainedFrom('raw', NOW, DEFAULT_RETENTION)).toBe(Date.parse('2026-11-14T00:00:00Z'));
  });
});

describe('the default step', () => {
  test.each<[string, number, Tier, number]>([
    ['an hour', HOUR_MS, '1m', MINUTE_MS],
    ['eight hours', 8 * HOUR_MS, '1m', MINUTE_MS],
    ['a day', DAY_MS, '1m', 5 * MINUTE_MS],
    ['a week', 7 * DAY_MS, '1h', HOUR_MS],
    ['a month', 31 * DAY_MS, '1d', DAY_MS],
    ['five years', 5 * 365 * DAY_MS, '1d', DAY_MS],
  ])('of %s', (_, length, tier, stepMs) => {
    expect(ask({ from: NOW - length })).toMatchObject({ plan: { tier, stepMs } });
  });

  test('for a range of an hour that only the hourly tier still holds is an hour', () => {
    const from = NOW - 45 * DAY_MS;
    expect(ask({ from, to: from + 2 * HOUR_MS })).toMatchObject({ plan: { tier: '1h', stepMs: HOUR_MS } });
  });
});

describe('plans', () => {
  test('extend the range to whole steps', () => {
    const at = Date.parse('2026-11-21T10:00:00Z');
    expect(ask({ from: at + 1, to: at + 2 * HOUR_MS + 1, stepMs: HOUR_MS })).toMatchObject({
      plan: { from: at, to: at + 3 * HOUR_MS },
    });
    expect(ask({ from: at, to: at + HOUR_MS, stepMs: HOUR_MS })).toMatchObject({
      plan: { from: at, to: at + HOUR_MS },
    });
  });

  test('state from when on the tier still holds data, in whole steps', () => {
    expect(ask({ stepMs: 60_000 })).toMatchObject({
      plan: { retainedFrom: Date.parse('2026-10-22T00:00:00Z') },
    });
    expect(ask({ stepMs: 7 * DAY_MS })).toMatchObject({
      plan: { retainedFrom: Math.ceil(Date.parse('2021-11-22T00:00:00Z') / (7 * DAY_MS)) * 7 * DAY_MS },
    });
  });

  test.each([
    ['nothing', 0],
    ['backwards', -1],
  ])('of %s are refused', (_, length) => {
    expect(ask({ to: NOW, from: NOW - length })).toEqual({ fault: { code: 'empty_range' } });
  });

  test('are limited to 11,000 points; a range with one more is refused, naming the smallest possible step', () => {
    const from = bucketOf(NOW, MINUTE_MS) - 11_000 * MINUTE_MS;
    expect(ask({ from, to: from + 11_000 * MINUTE_MS, stepMs: MINUTE_MS })).toHaveProperty('plan');
    expect(ask({ from, to: from + 11_000 * MINUTE_MS + 1, stepMs: MINUTE_MS })).toEqual({
      fault: { code: 'too_many_points', minStepMs: 61_000 },
    });
  });

  test('accept the smallest possible step, and no smaller one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: NOW }),
        fc.integer({ min: 1, max: 20_000 * DAY_MS }),
        (from, length) => {
          const step = minStepMs(from, from + length);
          const points = (stepMs: number) => Math.ceil((from + length) / stepMs) - Math.floor(from / stepMs);
          expect(points(step)).toBeLessThanOrEqual(MAX_POINTS);
          if (step > 1_000) expect(points(step - 1_000)).toBeGreaterThan(MAX_POINTS);
        },
      ),
    );
  });
});
