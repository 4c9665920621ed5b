import { describe, expect, it } from 'vitest';
import { openTranslator, type Point } from '../../testing/translator.harness.ts';

const shop = (instance: string) => ({ instance, job: 'shop', host: 'web-01' });
const both = (requests: number, queue: number, instance: string, seconds?: number): Point[] => [
  ['http_requests_total', shop(instance), requests, seconds],
  ['queue_length', shop(instance), queue, seconds],
];

describe('instances of one job on one host', () => {
  it('have their rates added up and the mean of their gauges, whatever the order of their requests', () => {
    for (const order of [
      ['a:1', 'b:1'],
      ['b:1', 'a:1'],
    ]) {
      const { values } = openTranslator();
      for (const instance of order) values(both(0, 0, instance), 0);
      const [first, second] = order.map((instance) =>
        values(instance === 'a:1' ? both(10, 2, instance) : both(30, 8, instance), 10),
      );
      expect(first).not.toEqual({});
      expect(second).toEqual({ 'job:shop http_requests_per_second': 4, 'job:shop queue_length': 5 });
    }
  });

  it('count with their last value where they are scraped at different times', () => {
    const { values } = openTranslator();
    values(both(0, 2, 'a:1'), 0);
    values(both(0, 8, 'b:1'), 4);
    values(both(10, 2, 'a:1'), 10);
    values(both(30, 8, 'b:1'), 14);
    expect(values(both(20, 4, 'a:1'), 20)).toEqual({
      'job:shop http_requests_per_second': 4,
      'job:shop queue_length': 6,
    });
  });

  it('no longer count two and a half intervals after their last value', () => {
    const { values } = openTranslator();
    for (const seconds of [0, 10]) {
      values(both(seconds, 2, 'a:1'), seconds);
      values(both(seconds * 3, 8, 'b:1'), seconds);
    }
    expect(values(both(20, 2, 'a:1'), 20)['job:shop queue_length']).toBe(5);
    values(both(30, 2, 'a:1'), 30);
    expect(values(both(40, 2, 'a:1'), 40)).toEqual({
      'job:shop http_requests_per_second': 1,
      'job:shop queue_length': 2,
    });
  });

  it('give the same where a request comes again', () => {
    const { values } = openTranslator();
    values(both(0, 2, 'a:1'), 0);
    values(both(0, 8, 'b:1'), 0);
    values(both(10, 2, 'a:1'), 10);
    const second = values(both(30, 8, 'b:1'), 10);
    expect(values(both(30, 8, 'b:1'), 10)).toEqual(second);
  });
});

it('a job of which there is one instance has values stored that come late', () => {
  const { values } = openTranslator();
  values(both(0, 2, 'a:1'), 20);
  expect(values(both(0, 3, 'a:1'), 10)).toEqual({ 'job:shop queue_length': 3 });
});

it('several instances have late values stored where the values of the others are near, and left out where they are not', () => {
  const { values } = openTranslator();
  for (const seconds of [100, 110, 120]) {
    values(both(seconds, 2, 'a:1'), seconds);
    values(both(seconds, 8, 'b:1'), seconds + 4);
  }
  expect(values(both(115, 4, 'a:1'), 115)['job:shop queue_length']).toBe(6);
  expect(values(both(10, 4, 'a:1'), 10)).toEqual({});
  expect(values(both(130, 2, 'a:1'), 130)['job:shop queue_length']).toBe(5);
});

it('instances of one job share one value once there are a thousand of them', () => {
  const { values } = openTranslator();
  const many = Array.from(
    { length: 1_500 },
    (_, index): Point => ['queue_length', shop(`i${index}:1`), index < 1_000 ? 2 : 2_000],
  );
  expect(values(many)['job:shop queue_length']).toBeCloseTo((1_000 * 2 + 2_000) / 1_001);
});

describe('series of OTLP without a service', () => {
  const open = (type: 'gauge' | 'counter') => {
    const opened = openTranslator({}, { protocol: 'otlp', type });
    const values = (entries: readonly [resource: readonly string[], value: number][], seconds: number) =>
      opened.ofResources('queue.length', entries, seconds);
    return values;
  };
  const resource = (...more: string[]) => ['host.name', 'web-01', ...more];

  it('are parts of their own where their resources name different pods, containers or programs', () => {
    const values = open('gauge');
    expect(
      values(
        [
          [resource('k8s.pod.name', 'api-1'), 1],
          [resource('k8s.pod.name', 'api-2'), 2],
          [resource('process.executable.name', 'java', 'process.pid', '7'), 3],
          [resource(), 4],
        ],
        0,
      ),
    ).toEqual({
      'queue:k8s.pod.name=api-1 queue.length': 1,
      'queue:k8s.pod.name=api-2 queue.length': 2,
      'queue:process.executable.name=java queue.length': 3,
      'queue.length': 4,
    });
  });

  it('are combined as instances are where their resources differ otherwise', () => {
    const gauges = open('gauge');
    const java = (pid: string) => resource('process.executable.name', 'java', 'process.pid', pid);
    const part = 'queue:process.executable.name=java';
    expect(
      gauges(
        [
          [java('7'), 2],
          [java('8'), 8],
        ],
        0,
      ),
    ).toEqual({ [`${part} queue.length`]: 5 });
    const counters = open('counter');
    const at = (seconds: number) =>
      counters(
        [
          [java('7'), seconds],
          [java('8'), seconds * 3],
        ],
        seconds,
      );
    at(0);
    expect(at(10)).toEqual({ [`${part} queue.length_per_second`]: 4 });
  });
});
