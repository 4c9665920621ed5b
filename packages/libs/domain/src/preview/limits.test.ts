import { definitionOf, levelOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { describe, expect, it } from 'vitest';
import { compileRule } from '../rules/rule.ts';
import { limitsOf } from './limits.ts';

function limits(...rules: Parameters<typeof definitionOf>[0][]) {
  return limitsOf(
    rules.map((fields) =>
      compileRule({ id: '', organizationId: '', version: 1, definition: definitionOf(fields) }),
    ),
  );
}

describe('limits of several rules', () => {
  it('are those of the one that breaches most easily', () => {
    const found = limits(
      { threshold: 90, condition: 'greater_than_or_equal' },
      { threshold: 80, condition: 'greater_than_or_equal' },
    );
    expect(found).toMatchObject({ low: 80, high: Number.POSITIVE_INFINITY, outside: false });
  });

  it('are cleared only by values beyond every recovery threshold', () => {
    expect(limits({ recovery_threshold: 85 }, { recovery_threshold: 70 })).toMatchObject({ clearBelow: 70 });
  });

  it('of ranges cover all ranges, and those of `outside` ranges their common part', () => {
    const inside = { condition: 'between', threshold: 10, threshold_max: 20 } as const;
    expect(limits(inside, { ...inside, threshold: 15, threshold_max: 30 })).toMatchObject({
      low: 10,
      high: 30,
    });
    const outside = { ...inside, condition: 'not_between' } as const;
    expect(limits(outside, { ...outside, threshold: 15, threshold_max: 30 })).toMatchObject({
      low: 15,
      high: 20,
      outside: true,
    });
  });

  it('cover all thresholds of a rule', () => {
    const thresholds = [levelOf('warning', 70), levelOf('critical', 95)];
    expect(limits({ threshold: null, condition: 'less_than_or_equal', thresholds })).toMatchObject({
      high: 95,
    });
  });

  it('do not exist for a change, a forecast, or a mean that may lie in a range between the extremes', () => {
    expect(limits({ transform: { kind: 'change', over_minutes: 5 } })).toBeNull();
    expect(limits({ transform: { kind: 'forecast', over_minutes: 5, ahead_minutes: 9 } })).toBeNull();
    const range = { condition: 'between', threshold: 10, threshold_max: 20 } as const;
    expect(limits({ ...range, transform: { kind: 'average', over_minutes: 5 } })).toBeNull();
    expect(limits({ ...range, transform: { kind: 'minimum', over_minutes: 5 } })).toMatchObject({
      margin: 0,
    });
    expect(limits({ transform: { kind: 'average', over_minutes: 5 } })?.margin).toBeGreaterThan(0);
  });
});
