import { expect, it } from 'vitest';
import { describeCondition } from './condition.ts';

const RULE = {
  ...({ metric: 'cpu_percent', condition: 'greater_than', threshold: 90, threshold_max: null } as const),
  ...{ thresholds: null, transform: null, duration_minutes: 5 },
};

it('words what a rule judges', () => {
  expect(describeCondition(RULE)).toBe('cpu_percent > 90 for 5m');
  expect(
    describeCondition({ ...RULE, condition: 'not_between', threshold_max: 95, duration_minutes: 0 }),
  ).toBe('cpu_percent not in 90..95');
  const level = { threshold_max: null, recovery_threshold: null, duration_minutes: null };
  const thresholds = [
    { ...level, severity: 'warning' as const, threshold: 80 },
    { ...level, severity: 'critical' as const, threshold: 95 },
  ];
  const transform = { kind: 'average' as const, over_minutes: 10 };
  expect(describeCondition({ ...RULE, threshold: null, thresholds, transform })).toBe(
    'average(cpu_percent, 10m) > 80 / 95 for 5m',
  );
});
