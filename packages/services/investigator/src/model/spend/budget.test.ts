import { describe, expect, it } from 'vitest';
import {
  type Budget,
  costOf,
  NOTHING_SPENT,
  type SeverityClass,
  type SpentByClass,
  severityClassOf,
  whyRefused,
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

describe('whyRefused', () => {
  it.each<[string, SeverityClass, Partial<SpentByClass>, Partial<SpentByClass>, RegExp | null]>([
    ['nothing was spent', 'other', {}, {}, null],
    [
      'what is not critical has taken its part',
      'other',
      { other: spent(5) },
      {},
      /calls .* kept for critical/,
    ],
    ['so has it, and it is critical', 'critical', { other: spent(5) }, {}, null],
    ['critical ones took theirs', 'other', { critical: spent(5) }, {}, null],
    ['calls are used up', 'critical', { critical: spent(10) }, {}, /limit of calls .* this hour/],
    ['all together are used up', 'other', { critical: spent(8), other: spent(2) }, {}, /limit of calls/],
    ['tokens are used up', 'critical', { other: spent(1, 9_900) }, {}, /limit of tokens .* this hour/],
    ['money is used up', 'critical', { other: spent(1, 0, 951) }, {}, /limit of cost .* this hour/],
    ['the day is used up', 'critical', {}, { critical: spent(40) }, /limit of calls .* the last 24 hours/],
    [
      'the day is used up but for the reserve',
      'other',
      {},
      { other: spent(20) },
      /kept for critical alerts, for the last 24/,
    ],
    ['money of a day has no limit', 'critical', {}, { critical: spent(1, 0, 1e12) }, null],
  ])('%s', (_, severity, hour, day, expected) => {
    const nothing = { critical: NOTHING_SPENT, other: NOTHING_SPENT };
    const why = whyRefused(
      CALL,
      severity,
      { hour: { ...nothing, ...hour }, day: { ...nothing, ...day }, own: null },
      BUDGET,
    );
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });

  it.each<[string, number, number, RegExp | null]>([
    ['it has a call left of its half', 4, 19, null],
    ['its half of the hour is used up', 5, 5, /share of the limit of calls .* this hour/],
    ['its half of the day is used up', 0, 20, /share of the limit of calls .* the last 24 hours/],
  ])('one organization among others: %s', (_, ownHour, ownDay, expected) => {
    const nothing = { critical: NOTHING_SPENT, other: NOTHING_SPENT };
    const own = { hour: spent(ownHour), day: spent(ownDay) };
    const why = whyRefused(CALL, 'critical', { hour: nothing, day: nothing, own }, BUDGET);
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });

  it('knows what a call costs', () => {
    expect(costOf(1_000, 200, { input: 3, output: 15 })).toBe(6_000);
    expect(costOf(1_000, 200, null)).toBe(0);
  });

  it('keeps the reserve for critical alerts alone', () => {
    expect([severityClassOf('critical'), severityClassOf('warning'), severityClassOf(null)]).toEqual([
      'critical',
      'other',
      'other',
    ]);
  });
});
