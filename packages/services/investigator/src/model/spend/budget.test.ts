import { describe, expect, it } from 'vitest';
import {
  type Budget,
  costOf,
  NOTHING_SPENT,
  refusalReason,
  type SeverityClass,
  type SpentByClass,
  severityClassOf,
} from './budget.ts';

const BUDGET: Budget = {
  hour: { calls: 10, tokens: 10_000, costMicros: 1_000 },
  day: { calls: 40, tokens: 40_000, costMicros: null },
  reserve: 0.5,
};

const spent = (calls: number, inputTokens = 0, costMicros = 0) => ({
  calls,
  inputTokens,
  outputTokens: 0,
  costMicros,
});
const CALL = { calls: 1, inputTokens: 100, outputTokens: 100, costMicros: 50 };

describe('refusalReason', () => {
  it.each<[string, SeverityClass, Partial<SpentByClass>, Partial<SpentByClass>, RegExp | null]>([
    ['allows a call when nothing was spent', 'other', {}, {}, null],
    [
      'refuses a call that is not critical when only the reserve is left',
      'other',
      { other: spent(5) },
      {},
      /calls .* reserved for critical/,
    ],
    ['allows a critical call when only the reserve is left', 'critical', { other: spent(5) }, {}, null],
    [
      'allows a call that is not critical when critical ones used their reserve',
      'other',
      { critical: spent(5) },
      {},
      null,
    ],
    [
      'refuses a call beyond the limit of calls',
      'critical',
      { critical: spent(10) },
      {},
      /limit of calls .* this hour/,
    ],
    [
      'refuses a call when both classes together reach the limit',
      'other',
      { critical: spent(8), other: spent(2) },
      {},
      /limit of calls/,
    ],
    [
      'refuses a call beyond the limit of tokens',
      'critical',
      { other: spent(1, 9_900) },
      {},
      /limit of tokens .* this hour/,
    ],
    [
      'refuses a call beyond the limit of cost',
      'critical',
      { other: spent(1, 0, 951) },
      {},
      /limit of cost .* this hour/,
    ],
    [
      'refuses a call beyond the daily limit',
      'critical',
      {},
      { critical: spent(40) },
      /limit of calls .* the last 24 hours/,
    ],
    [
      'refuses a call that is not critical when only the daily reserve is left',
      'other',
      {},
      { other: spent(20) },
      /reserved for critical alerts, for the last 24/,
    ],
    ['allows any cost without a limit of cost', 'critical', {}, { critical: spent(1, 0, 1e12) }, null],
  ])('%s', (_, severity, hour, day, expected) => {
    const nothing = { critical: NOTHING_SPENT, other: NOTHING_SPENT };
    const why = refusalReason(
      CALL,
      severity,
      { hour: { ...nothing, ...hour }, day: { ...nothing, ...day }, own: null },
      BUDGET,
    );
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });

  it.each<[string, number, number, RegExp | null]>([
    ['allows a call within its half', 4, 19, null],
    ['refuses a call beyond its half of the hourly limit', 5, 5, /share of the limit of calls .* this hour/],
    [
      'refuses a call beyond its half of the daily limit',
      0,
      20,
      /share of the limit of calls .* the last 24 hours/,
    ],
  ])('for one organization among others %s', (_, ownHour, ownDay, expected) => {
    const nothing = { critical: NOTHING_SPENT, other: NOTHING_SPENT };
    const own = { hour: spent(ownHour), day: spent(ownDay) };
    const why = refusalReason(CALL, 'critical', { hour: nothing, day: nothing, own }, BUDGET);
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });

  it('costOf computes the cost of a call from the prices', () => {
    expect(costOf(1_000, 200, { input: 3, output: 15 })).toBe(6_000);
    expect(costOf(1_000, 200, null)).toBe(0);
  });

  it('severityClassOf reserves for critical alerts only', () => {
    expect([severityClassOf('critical'), severityClassOf('warning'), severityClassOf(null)]).toEqual([
      'critical',
      'other',
      'other',
    ]);
  });
});
