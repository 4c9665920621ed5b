import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it, test } from 'vitest';
import { comparedMetrics } from './compared-metrics.ts';
import { type Departure, departureOf, MIN_HISTORY, rangesWithoutFloor } from './departure.ts';

const BEGIN = 1_000 * MINUTE_MS;

/** Values of a sample a minute, those of `before` up to BEGIN and those of `since` from it on. */
function series(before: readonly number[], since: readonly number[]) {
  const values = [...before, ...since];
  return {
    times: Float64Array.from(values, (_, i) => BEGIN + (i - before.length) * MINUTE_MS),
    values: Float64Array.from(values),
  };
}
/** Values that go up and down between `low` and `high`. */
const between = (low: number, high: number, count = 100) =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * (i % 11)) / 10);
const departure = (metric: string, before: readonly number[], since: readonly number[]) =>
  departureOf(metric, series(before, since), BEGIN);

describe('the departure of a metric from its history', () => {
  it('is the distance from the usual range, in units of that range', () => {
    const found = departure('cpu_percent', between(20, 30), [60, 60, 60, 60]);
    expect(found).toMatchObject({ low: 20, high: 30, width: 10, ranges: 3, worse: 3, startedAt: BEGIN });
  });

  it('is that of the further half of the values, since a trouble may be on for a part of the time', () => {
    expect(departure('cpu_percent', between(20, 30), [25, 25, 50, 50])?.ranges).toBe(2);
    expect(departure('cpu_percent', between(20, 30), [25, 25, 25, 50])?.ranges).toBe(1);
  });

  it('is that of the later half where few values are from before, which do not show what swings by itself', () => {
    const few = between(20, 30, 20);
    const over = departure('cpu_percent', few, [50, 50, 25, 25]);
    const lasting = departure('cpu_percent', few, [25, 25, 50, 50]);
    expect(over?.ranges).toBe(0);
    expect(lasting?.ranges).toBeGreaterThan(1);
    expect(departure('cpu_percent', between(20, 30, 40), [50, 50, 25, 25])?.ranges).toBeGreaterThan(1);
  });

  it('is zero within the usual range', () => {
    expect(departure('cpu_percent', between(20, 30), [20, 30, 25])).toMatchObject({
      ranges: 0,
      startedAt: null,
    });
  });

  it('has a level within the usual range too: the distance from the usual median', () => {
    expect(departure('cpu_percent', between(20, 30), [28, 28])).toMatchObject({ median: 25, level: 0.3 });
    expect(departure('cpu_percent', between(20, 30), [22, 22])?.level).toBeCloseTo(-0.3, 9);
    expect(departure('cpu_percent', between(20, 30), [60, 60])).toMatchObject({ ranges: 3, level: 3.5 });
  });

  it('is smaller where the metric was ever far higher, though such values are not usual', () => {
    const before = [...new Array<number>(60).fill(1), 400, ...new Array<number>(40).fill(1)];
    expect(departure('sockets', before, [41, 41])).toMatchObject({ low: 1, high: 1, width: 40, ranges: 1 });
  });

  it('does not count a short earlier fault as usual', () => {
    const before = [...between(20, 30, 60), 95, 96, 97, 95, ...between(20, 30, 20)];
    expect(departure('cpu_percent', before, [90, 90, 90])?.worse).toBe(6);
  });

  it('of a metric that never moved is bounded by a tenth of its magnitude', () => {
    expect(departure('errors', new Array(50).fill(0), [3, 3])?.worse).toBeCloseTo(10, 9);
    expect(departure('errors', new Array(50).fill(100), [101, 101])?.worse).toBeLessThan(0.1);
  });

  it.each([
    ['cpu_percent', 0.3, 3.3, 1],
    ['load_1', 0.01, 1.01, 2],
    ['latency_ms', 0.3, 3.3, 9.1],
  ])('of %s from %d to %d is measured in steps that matter', (metric, from, to, ranges) => {
    expect(departure(metric, new Array(50).fill(from), [to, to])?.worse).toBeCloseTo(ranges, 1);
  });

  it('of fewer than 30 values is measured from where 96 % of normal values with their mean and deviation lie', () => {
    const few = departure('latency_ms', [18, 22, 18, 22, 18, 22, 18, 22, 18, 22], [40, 40]);
    expect(few).toMatchObject({ low: expect.closeTo(15.892, 9), high: expect.closeTo(24.108, 9), count: 10 });
    expect(few?.worse).toBeCloseTo((40 - 24.108) / 8.216, 9);
  });

  it('of fewer than 30 values is measured from a wider range where older values show one', () => {
    const near = series(between(20, 30, 12), [60, 60]);
    const far = Float64Array.from(between(10, 50, 110));
    expect(departureOf('latency_ms', near, BEGIN, far)).toMatchObject({ low: 10, high: 50, worse: 0.25 });
  });

  it('is measured from ten values on', () => {
    expect(departure('cpu_percent', between(20, 30, MIN_HISTORY - 1), [90, 90])).toBeNull();
    expect(departure('cpu_percent', between(20, 30, MIN_HISTORY), [90, 90])).not.toBeNull();
    expect(departure('cpu_percent', between(20, 30), [])).toBeNull();
  });

  it('is measured from a wider range where older values show one', () => {
    const near = series(between(20, 30), [60, 60]);
    const far = Float64Array.from(between(10, 50, 110));
    expect(departureOf('cpu_percent', near, BEGIN, far)).toMatchObject({ low: 10, high: 50, worse: 0.25 });
  });
});

test.each([
  ['cpu_percent', 4, 0],
  ['memory_available_bytes', 0, 4],
  ['latency_ms', 4, 0],
  ['metric_01', 4, 4],
])('%s gets worse in the direction that its name says', (metric, above, below) => {
  const usual = between(95, 105);
  expect(departure(metric, usual, [175, 175])?.worse).toBeCloseTo(above, 9);
  expect(departure(metric, usual, [53, 53])?.worse).toBeCloseTo(below, 9);
});

test('of another host the investigated metric is compared, and of resources and others those that went furthest', () => {
  const distances: Record<string, number> = {
    latency_ms: 0,
    cpu_percent: 2,
    memory_percent: 0,
    load_1: 1,
    disk_percent: 3,
    swap_percent: 4,
    errors: 9,
    queue_length: 8,
    requests_per_second: 7,
    network_receive_bytes: 6,
  };
  const all = Object.keys(distances).map((metric) => ({ metric }));
  const compared = comparedMetrics(all, 'latency_ms', ({ metric }) => distances[metric] ?? 0);
  expect(compared.map(({ metric }) => metric)).toEqual([
    'latency_ms',
    'swap_percent',
    'disk_percent',
    'cpu_percent',
    'errors',
    'queue_length',
    'requests_per_second',
  ]);
});

describe('the departure of a metric that hardly ever moved, without a floor', () => {
  const own = (before: readonly number[], since: readonly number[]) =>
    rangesWithoutFloor(
      departure('sockets', before, since) as Departure,
      Float64Array.from([...before, ...since]),
    );

  it('is counted in its own range', () => {
    expect(departure('sockets', between(0, 1), [101, 101])).toMatchObject({
      low: 0,
      high: 1,
      width: expect.closeTo(10.1, 9),
    });
    expect(own(between(0, 1), [101, 101])).toBeCloseTo(100, 9);
    expect(own(between(-1, 0), [-101, -101])).toBeCloseTo(-100, 9);
  });

  it('is counted in the finest step of its values where its range is narrower', () => {
    expect(own(new Array(50).fill(0), [4, 6])).toBeCloseTo(3, 9);
    expect(own(new Array(50).fill(0.3), [0.1 + 0.2, 0.5])).toBeCloseTo(1, 9);
  });

  it('is unknown where the range is not less than half of the floor', () => {
    expect(own(between(20, 30), [60, 60])).toBeNull();
    expect(own(between(20, 23), [50, 50])).toBeNull();
    expect(own(between(20, 22), [50, 50])).toBeCloseTo(14, 9);
  });
});
