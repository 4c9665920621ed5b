import { expect, test } from 'vitest';
import { greatest, readMetrics, total } from './prometheus-text.ts';

const PAGE = `# HELP given_up_total Records given up.
# TYPE given_up_total counter
given_up_total{consumer="writer"} 2
given_up_total{consumer="a } 7 \\"quoted\\""} 3

lag_seconds 0.25
lag_bucket{le="+Inf"} 9
unknown NaN
endless +Inf
`;

test('a page of Prometheus metrics is read value by value, without comments and values that are not numbers', () => {
  expect(readMetrics(PAGE).map(({ name, value }) => [name, value])).toEqual([
    ['given_up_total', 2],
    ['given_up_total', 3],
    ['lag_seconds', 0.25],
    ['lag_bucket', 9],
  ]);
});

test('a metric of a page has a maximum and a total over all labels, and neither where it is absent', () => {
  const readings = readMetrics(PAGE);
  expect([greatest(readings, 'given_up_total'), total(readings, 'given_up_total')]).toEqual([3, 5]);
  expect([greatest(readings, 'other'), total(readings, 'other')]).toEqual([undefined, undefined]);
});

test.each([
  ['nothing', ''],
  ['a page for people', '<!doctype html><html>\n<p>lag_seconds 3</p>'],
  ['one line of a million braces', `lag${'{'.repeat(500_000)}${'} '.repeat(500_000)}`],
  ['a million empty lines', '\n'.repeat(1_000_000)],
  ['zeros', '\0'.repeat(1_000)],
])('%s has no readings', (_name, page) => {
  expect(readMetrics(page)).toEqual([]);
});
