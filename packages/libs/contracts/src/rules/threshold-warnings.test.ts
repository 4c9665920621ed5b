import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import type { RuleDefinition } from './rule.ts';
import { readRuleInput } from './rule-input.ts';
import { thresholdWarnings } from './threshold-warnings.ts';

function ruleOf(fields: object): RuleDefinition {
  const read = readRuleInput({ name: 'r', metric: 'm', condition: 'greater_than', ...fields });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.rule;
}

const level = (severity: string, threshold: number, more: object = {}) => ({ severity, threshold, ...more });

test.each<[string, Condition, object[], number]>([
  ['warning below critical', 'greater_than', [level('warning', 80), level('critical', 95)], 0],
  ['critical below warning', 'greater_than', [level('critical', 80), level('warning', 95)], 1],
  ['the same threshold', 'greater_than', [level('critical', 80), level('warning', 80)], 1],
  [
    'a critical that has to hold for longer',
    'greater_than',
    [level('critical', 80, { duration_minutes: 30 }), level('warning', 95, { duration_minutes: 1 })],
    0,
  ],
  ['of a value that falls, the same way round', 'less_than', [level('critical', 5), level('warning', 20)], 0],
  ['of a value that falls, exchanged', 'less_than', [level('critical', 20), level('warning', 5)], 1],
  [
    'two that a critical hides',
    'greater_than',
    [level('info', 90), level('warning', 95), level('critical', 10)],
    2,
  ],
  [
    'ranges within one another',
    'not_between',
    [level('critical', 10, { threshold_max: 20 }), level('warning', 5, { threshold_max: 25 })],
    1,
  ],
  [
    'ranges the right way round',
    'not_between',
    [level('critical', 5, { threshold_max: 25 }), level('warning', 10, { threshold_max: 20 })],
    0,
  ],
])('%s, with %s', (_, condition, thresholds, count) => {
  const warnings = thresholdWarnings(ruleOf({ condition, thresholds }));
  expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 'threshold_hidden'));
});

test('thresholdWarnings also warns about overrides, with their path', () => {
  const thresholds = [level('critical', 80), level('warning', 95)];
  const rule = ruleOf({ threshold: 90, overrides: [{ match: { hosts: ['db-*'] }, thresholds }] });
  expect(thresholdWarnings(rule)[0]?.message).toBe(
    'The warning of /overrides/0/thresholds can never show: wherever it holds, critical holds as well. Have the thresholds been exchanged?',
  );
  expect(thresholdWarnings(ruleOf({ threshold: 90 }))).toEqual([]);
});
