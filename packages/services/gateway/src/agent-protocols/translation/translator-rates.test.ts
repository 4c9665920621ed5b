import { expect, test } from 'vitest';
import { cpu, openTranslator, type Point, START, WEB } from '../../testing/translator.harness.ts';

test('a request that is not published leaves no trace in counters, and one that is sent again gives the same', () => {
  const { translate, values } = openTranslator();
  const counter = (value: number): Point => ['node_intr_total', WEB, value];
  values([counter(0)], 0);
  translate([counter(100)], 10);
  expect(values([counter(300)], 20)).toEqual({ node_intr_per_second: 15 });
  expect(values([counter(300)], 20)).toEqual({ node_intr_per_second: 15 });
  expect(values([counter(200)], 15)).toEqual({});
});

test('a counter that falls has no rate until its next value', () => {
  const { values } = openTranslator();
  const counter = (value: number): Point => ['node_intr_total', WEB, value];
  values([counter(500)], 0);
  expect(values([counter(10)], 10)).toEqual({});
  expect(values([counter(30)], 20)).toEqual({ node_intr_per_second: 2 });
});

test('points less than a second apart are one sample, at the time of the first', () => {
  const { translate } = openTranslator();
  const { payloads } = translate([
    ['node_load1', WEB, 1, 0.9],
    ['node_load5', WEB, 2, 1.3],
    ['node_load1', WEB, 3, 2.5],
  ]);
  expect(payloads.map(({ time, metrics }) => [time - START, metrics])).toEqual([
    [0, ['node_load1', 'load_1', 'node_load5', 'load_5']],
    [2_000, ['node_load1', 'load_1']],
  ]);
});

test('a histogram becomes its rate, mean and percentiles since its last point', () => {
  const { translateHistograms } = openTranslator();
  const point = (count: number, sum: number, counts: number[]) => ({ count, sum, bounds: [10, 20], counts });
  translateHistograms(point(10, 100, [5, 5, 0]), 0);
  expect(translateHistograms(point(30, 500, [5, 25, 0]), 10)).toEqual({
    'job:shop latency_count_per_second': 2,
    'job:shop latency_mean': 20,
    'job:shop latency_p50': 15,
    'job:shop latency_p95': 19.5,
    'job:shop latency_p99': 19.9,
  });
});

test('two replicas of one Prometheus, which scrape at different times, give the same as one', () => {
  const { values } = openTranslator();
  const scrape = (replica: string, seconds: number): Point[] =>
    [0, 1].flatMap((core): Point[] => [
      ['node_cpu_seconds_total', { ...cpu(core, 'idle'), prometheus_replica: replica }, 100 + seconds * 0.75],
      ['node_cpu_seconds_total', { ...cpu(core, 'user'), prometheus_replica: replica }, 50 + seconds * 0.25],
    ]);
  for (const [replica, seconds] of [
    ['a', 0],
    ['b', 3],
    ['a', 15],
    ['b', 18],
  ] as const)
    values(scrape(replica, seconds), seconds);
  for (const [replica, seconds] of [
    ['a', 30],
    ['b', 33],
  ] as const)
    expect(values(scrape(replica, seconds), seconds)).toMatchObject({
      cpu_percent: 25,
      node_cpu_seconds_user_per_second: 0.5,
    });
});

test('scrapes that come in any order after a gap have their rates, and what is computed of them', () => {
  const { values } = openTranslator();
  const scrape = (seconds: number) =>
    values(
      [0, 1].flatMap((core): Point[] => [
        ['node_cpu_seconds_total', cpu(core, 'idle'), 100 + seconds * 0.75],
        ['node_cpu_seconds_total', cpu(core, 'user'), 50 + seconds * 0.25],
      ]),
      seconds,
    );
  for (const seconds of [0, 10, 20]) scrape(seconds);
  for (const seconds of [60, 70, 30, 50, 40, 80])
    expect(scrape(seconds)).toMatchObject({ cpu_percent: 25, node_cpu_seconds_user_per_second: 0.5 });
});

test('the half of a scrape that comes after an older scrape completes it', () => {
  const { values } = openTranslator();
  const core = (number: number, seconds: number): Point[] => [
    ['node_cpu_seconds_total', cpu(number, 'idle'), 100 + seconds * 0.75],
    ['node_cpu_seconds_total', cpu(number, 'user'), 50 + seconds * 0.25],
  ];
  for (const seconds of [0, 10, 20, 60]) values([...core(0, seconds), ...core(1, seconds)], seconds);
  values(core(0, 70), 70);
  values([...core(0, 30), ...core(1, 30)], 30);
  expect(values(core(1, 70), 70)).toMatchObject({ cpu_percent: 25 });
});

test('two instances of one job on one host add up', () => {
  const { values } = openTranslator();
  const requests = (port: number, value: number): Point => [
    'http_requests_total',
    { instance: `web-01:${port}`, job: 'shop' },
    value,
  ];
  values([requests(8080, 0), requests(8081, 0)], 0);
  expect(values([requests(8080, 50), requests(8081, 30)], 10)).toEqual({
    'job:shop http_requests_per_second': 8,
  });
});
