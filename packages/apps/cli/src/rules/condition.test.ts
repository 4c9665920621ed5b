import { expect, it } from 'vitest';
import { describeCondition, severitiesOf } from './condition.ts';

const RULE: Parameters<typeof describeCondition>[0] = {
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  threshold_max: null,
  thresholds: null,
  transform: null,
  duration_minutes: 5,
  severity: 'warning',
  overrides: [],
};

it('describeCondition prints the condition, levels and overrides of a rule', () => {
  expect(describeCondition(RULE)).toBe('cpu_percent > 90 for 5m');
  expect(
    describeCondition({ ...RULE, condition: 'not_between', threshold_max: 95, duration_minutes: 0 }),
  ).toBe('cpu_percent not in 90..95 at once');
  const level = {
    threshold_max: null,
    recovery_threshold: null,
    duration_minutes: null as number | null,
  };
  const thresholds = [
    { ...level, severity: 'warning' as const, threshold: 80 },
    { ...level, severity: 'critical' as const, threshold: 95 },
  ];
  const transform = { kind: 'average' as const, over_minutes: 10 };
  expect(describeCondition({ ...RULE, threshold: null, thresholds, transform })).toBe(
    'average(cpu_percent, 10m) > 80 warning, 95 critical for 5m',
  );
  const [warning, critical] = thresholds;
  const apart = [
    { ...warning, duration_minutes: 10 },
    { ...critical, duration_minutes: 0 },
  ] as typeof thresholds;
  expect(describeCondition({ ...RULE, threshold: null, thresholds: apart })).toBe(
    'cpu_percent > 80 warning for 10m, 95 critical at once',
  );
  const forecast = { kind: 'forecast' as const, over_minutes: 360, ahead_minutes: 1_440 };
  expect(
    describeCondition({
      ...RULE,
      transform: forecast,
      overrides: [{ match: {} } as (typeof RULE)['overrides'][number]],
    }),
  ).toBe('forecast(cpu_percent, 360m, 1440m ahead) > 90 for 5m (1 override)');
  expect(severitiesOf({ ...RULE, severity: 'info' })).toEqual(['info']);
  expect(severitiesOf({ ...RULE, thresholds })).toEqual(['warning', 'critical']);
});
