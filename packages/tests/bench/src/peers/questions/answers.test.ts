import { describe, expect, test } from 'vitest';
import { planOf } from '../../load/plan.fixture.ts';
import { createWalk } from '../../load/walk.ts';
import { parseInfluxql, statementOf } from './influxql.ts';
import { parsePromql, rangeQueries } from './promql.ts';
import { answerDifferences, expectedAnswer, type Question } from './question.ts';
import { parseTidewatch } from './tidewatch-api.ts';

const fromMs = 1_700_000_040_000;
const plan = planOf({ hosts: 2, metrics: 3, ticks: 12, startMs: fromMs });
const range = { fromMs, toMs: fromMs + 3 * 60_000 };
const host: Question = {
  kind: 'host',
  host: 'bench-00001',
  metrics: ['disk_percent', 'cpu_percent'],
  ...range,
};
const hosts: Question = { kind: 'hosts', metric: 'memory_percent', ...range };
const mean: Question = { kind: 'mean', metric: 'memory_percent', ...range };

/** The mean of a metric of one host over ticks, computed from the walk alone. */
function meanOf(index: number, metric: number, from: number, to: number): number {
  const walk = createWalk(plan, index);
  let sum = 0;
  for (let tick = 0; tick < to; tick += 1) {
    walk.next();
    if (tick >= from) sum += walk.values[metric] as number;
  }
  return sum / 100 / (to - from);
}

const bytes = (value: unknown) => [Buffer.from(JSON.stringify(value))];
const iso = (minute: number) => new Date(fromMs + minute * 60_000).toISOString();

describe('expectedAnswer', () => {
  test('has a mean for each minute of the metrics of one host, and none for a minute without samples', () => {
    const answer = expectedAnswer(plan, host);
    expect([...answer.keys()]).toEqual(['disk_percent', 'cpu_percent']);
    const cpu = answer.get('cpu_percent') ?? [];
    expect(cpu[0]).toBeCloseTo(meanOf(1, 0, 0, 6), 10);
    expect(cpu[1]).toBeCloseTo(meanOf(1, 0, 6, 12), 10);
    expect(cpu[2]).toBeNaN();
  });

  test('has every host of one metric, and their mean', () => {
    const each = expectedAnswer(plan, hosts);
    expect([...each.keys()]).toEqual(['bench-00000', 'bench-00001']);
    const both = [0, 1].map((index) => each.get(`bench-0000${index}`)?.[1] ?? 0);
    expect(both[1]).toBeCloseTo(meanOf(1, 1, 6, 12), 10);
    expect(expectedAnswer(plan, mean).get('mean')?.[1]).toBeCloseTo(
      ((both[0] ?? 0) + (both[1] ?? 0)) / 2,
      10,
    );
  });
});

describe('answers to the same question are equal whichever system gives them', () => {
  const values = (name: string, of: Question) => expectedAnswer(plan, of).get(name) ?? new Float64Array();
  const present = [0, 1];

  test('for metrics of one host', () => {
    const expected = expectedAnswer(plan, host);
    const names = ['disk_percent', 'cpu_percent'];
    const prometheus = names.map((name) =>
      Buffer.from(
        JSON.stringify({
          data: {
            result: [
              {
                metric: { host: 'bench-00001' },
                values: present.map((at) => [
                  (fromMs + at * 60_000 + 59_999) / 1_000,
                  String(values(name, host)[at]),
                ]),
              },
            ],
          },
        }),
      ),
    );
    const influxdb = bytes({
      results: [
        {
          series: [
            {
              columns: ['time', ...names],
              values: [0, 1, 2].map((at) => [
                fromMs + at * 60_000,
                ...names.map((name) => (at < 2 ? values(name, host)[at] : null)),
              ]),
            },
          ],
        },
      ],
    });
    const tidewatch = bytes({
      series: names.map((metric) => ({
        metric,
        points: present.map((at) => ({ t: iso(at), avg: values(metric, host)[at] })),
      })),
    });
    expect(answerDifferences(expected, parsePromql(host, prometheus))).toEqual([]);
    expect(answerDifferences(expected, parseInfluxql(host, influxdb))).toEqual([]);
    expect(answerDifferences(expected, parseTidewatch(host, tidewatch))).toEqual([]);
  });

  test('for a metric of every host', () => {
    const expected = expectedAnswer(plan, hosts);
    const prometheus = bytes({
      data: {
        result: [...expected].map(([name, steps]) => ({
          metric: { host: name },
          values: present.map((at) => [(fromMs + at * 60_000 + 59_999) / 1_000, String(steps[at])]),
        })),
      },
    });
    const influxdb = bytes({
      results: [
        {
          series: [...expected].map(([name, steps]) => ({
            tags: { host: name },
            columns: ['time', 'memory_percent'],
            values: present.map((at) => [fromMs + at * 60_000, steps[at]]),
          })),
        },
      ],
    });
    const tidewatch = bytes({
      series: [...expected].map(([name, steps]) => ({
        host: name,
        points: present.map((at) => ({ t: iso(at), value: steps[at] })),
      })),
    });
    expect(answerDifferences(expected, parsePromql(hosts, prometheus))).toEqual([]);
    expect(answerDifferences(expected, parseInfluxql(hosts, influxdb))).toEqual([]);
    expect(answerDifferences(expected, parseTidewatch(hosts, tidewatch))).toEqual([]);
  });

  test('for the mean over hosts', () => {
    const expected = expectedAnswer(plan, mean);
    const steps = values('mean', mean);
    const prometheus = bytes({
      data: {
        result: [
          {
            metric: {},
            values: present.map((at) => [(fromMs + at * 60_000 + 59_999) / 1_000, String(steps[at])]),
          },
        ],
      },
    });
    const influxdb = bytes({
      results: [
        {
          series: [
            {
              columns: ['time', 'mean'],
              values: present.map((at) => [fromMs + at * 60_000, steps[at]]),
            },
          ],
        },
      ],
    });
    const tidewatch = bytes({
      series: [{ host: null, points: present.map((at) => ({ t: iso(at), value: steps[at] })) }],
    });
    expect(answerDifferences(expected, parsePromql(mean, prometheus))).toEqual([]);
    expect(answerDifferences(expected, parseInfluxql(mean, influxdb))).toEqual([]);
    expect(answerDifferences(expected, parseTidewatch(mean, tidewatch))).toEqual([]);
  });
});

describe('answerDifferences', () => {
  const expected = new Map([['a', Float64Array.of(1, Number.NaN)]]);

  test.each([
    ['a minute that differs', [['a', [1.001, Number.NaN]]], 'a, minute 0: 1.001, not 1'],
    ['a minute that is missing', [['a', [Number.NaN, Number.NaN]]], 'a, minute 0: NaN, not 1'],
    ['a minute too many', [['a', [1, 2]]], 'a, minute 1: 2, not NaN'],
    ['a series that is missing', [], 'a is missing'],
    [
      'a series too many',
      [
        ['a', [1, Number.NaN]],
        ['b', [1, 1]],
      ],
      'b is unexpected',
    ],
  ] as [string, [string, number[]][], string][])('finds %s', (_, found, sentence) => {
    const answer = new Map(found.map(([name, steps]) => [name, Float64Array.from(steps)]));
    expect(answerDifferences(expected, answer)).toEqual([sentence]);
  });

  test('takes sums in another order for the same', () => {
    expect(answerDifferences(expected, new Map([['a', Float64Array.of(1 + 1e-12, Number.NaN)]]))).toEqual([]);
  });
});

test('rangeQueries asks for each metric of a host by itself, as panels of a dashboard do', () => {
  expect(rangeQueries(host)).toEqual([
    'avg_over_time(disk_percent{host="bench-00001"}[60s])',
    'avg_over_time(cpu_percent{host="bench-00001"}[60s])',
  ]);
  expect(rangeQueries(hosts)).toEqual(['avg_over_time(memory_percent[60s])']);
  expect(rangeQueries(mean)).toEqual(['avg(avg_over_time(memory_percent[60s]))']);
});

test('statementOf takes the mean over hosts of the means of hosts', () => {
  const between = `time >= ${range.fromMs}ms and time < ${range.toMs}ms`;
  const own = `select mean(memory_percent) as memory_percent from host where ${between} group by time(60s), host`;
  expect(statementOf(hosts)).toBe(own);
  expect(statementOf(mean)).toBe(
    `select mean(memory_percent) as mean from (${own}) where ${between} group by time(60s)`,
  );
  expect(statementOf(host)).toBe(
    `select mean(disk_percent) as disk_percent, mean(cpu_percent) as cpu_percent from host where host = 'bench-00001' and ${between} group by time(60s)`,
  );
});
