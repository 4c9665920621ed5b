import { describe, expect, it } from 'vitest';
import { COARSEST_TIER, coarserOf, ROLLUP_TIERS, TIER_FACTS, TIERS } from './tiers.ts';

describe('the table of tiers', () => {
  it('begins with raw samples, and computes each rollup from the tier before it', () => {
    expect(TIERS.map((tier) => TIER_FACTS[tier].source)).toEqual([null, ...TIERS.slice(0, -1)]);
    expect(TIERS.map((tier) => coarserOf(tier))).toEqual([...ROLLUP_TIERS, undefined]);
    expect(coarserOf(COARSEST_TIER)).toBeUndefined();
  });

  it.each(ROLLUP_TIERS.slice(1))('divides the buckets of %s into whole buckets of its source', (tier) => {
    const { source, widthMs } = TIER_FACTS[tier];
    expect(widthMs % TIER_FACTS[source].widthMs).toBe(0);
  });

  it.each(ROLLUP_TIERS)('keeps %s at least as long as its source, and rolls it up no earlier', (tier) => {
    const { source, retentionDays, settleMs } = TIER_FACTS[tier];
    expect(retentionDays).toBeGreaterThanOrEqual(TIER_FACTS[source].retentionDays);
    expect(settleMs).toBeGreaterThanOrEqual(TIER_FACTS[source].settleMs);
  });
});
