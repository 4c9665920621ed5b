import { expect, it } from 'vitest';
import {
  breachesOf,
  type ChartThreshold,
  thresholdGroups,
  thresholdLines,
  thresholdText,
} from './thresholds.ts';

const of = (fields: Partial<ChartThreshold>): ChartThreshold => ({
  ruleId: 'rul_1',
  ruleName: 'CPU is busy',
  severity: 'warning',
  condition: 'greater_than',
  threshold: 90,
  thresholdMax: null,
  recoveryThreshold: null,
  durationMinutes: 0,
  ...fields,
});

it.each([
  [{}, 'warning: above 90 %'],
  [{ durationMinutes: 5 }, 'warning: above 90 % for 5 min'],
  [{ condition: 'less_than_or_equal', severity: 'critical' }, 'critical: at or below 90 %'],
  [{ condition: 'not_between', threshold: 10, thresholdMax: 20 }, 'warning: not between 10 % and 20 %'],
] as const)('describes %j', (fields, text) => {
  expect(thresholdText(of(fields), 'percent', 'cpu_percent')).toBe(text);
});

it('draws each limit once, both limits of a range, and recovery thresholds apart', () => {
  const lines = thresholdLines([
    of({ recoveryThreshold: 80 }),
    of({ ruleId: 'rul_2' }),
    of({ condition: 'between', threshold: 10, thresholdMax: 20, severity: 'info' }),
  ]);
  expect(lines.map(({ value, isRecovery }) => [value, isRecovery])).toEqual([
    [90, false],
    [80, true],
    [10, false],
    [20, false],
  ]);
});

it('shares a button among rules with the same value and severity, the highest value first', () => {
  const groups = thresholdGroups([
    of({ threshold: 80 }),
    of({}),
    of({ ruleId: 'rul_2' }),
    of({ severity: 'critical' }),
  ]);
  expect(groups.map((group) => [group[0]?.threshold, group[0]?.severity, group.length])).toEqual([
    [90, 'warning', 2],
    [90, 'critical', 1],
    [80, 'warning', 1],
  ]);
});

it('tints a breach by the worst severity, whatever the order of thresholds', () => {
  const points = [{ t: 0, avg: 98, min: 98, max: 98 }];
  const critical = of({ severity: 'critical', threshold: 97 });
  for (const thresholds of [
    [of({}), critical],
    [critical, of({})],
  ])
    expect(breachesOf(thresholds, points, 10)).toEqual([{ span: { from: 0, to: 10 }, severity: 'critical' }]);
});
