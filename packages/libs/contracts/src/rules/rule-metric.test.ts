import { expect, test } from 'vitest';
import { PART_METRIC_PATTERN, partMetricOf, subjectKindOf } from './rule-metric.ts';

test.each<[string, [kind: string, metric: string] | null]>([
  ['filesystem.used_percent', ['filesystem', 'used_percent']],
  ['unit.state.active', ['unit', 'state.active']],
  ['größe.µs/%', ['größe', 'µs/%']],
  ['cpu_percent', null],
  ['.hidden', null],
  ['filesystem.', null],
  ['a:b.c', null],
  ['a*.c', null],
  ['container.cpu_percent', null],
  ['process.cpu_percent', null],
  ['host.silent_minutes', null],
  ['part.used_percent', null],
  [`${'k'.repeat(64)}.m`, ['k'.repeat(64), 'm']],
  [`${'k'.repeat(65)}.m`, null],
])('the parts that a rule on %j evaluates, and the pattern of the API document agrees', (metric, parts) => {
  const found = partMetricOf(metric);
  expect(found === null ? null : [found.kind, found.metric]).toEqual(parts);
  expect(new RegExp(PART_METRIC_PATTERN, 'u').test(metric)).toBe(parts !== null);
});

test('a rule on a metric of parts is a rule on hosts too', () => {
  expect(subjectKindOf('filesystem.used_percent')).toBe('host');
});
