import { type Retention, retainedFrom, TIERS, type Tier } from '@tidewatch/domain/rollup/tier';

/** The time (ms) from which each tier is complete. */
export function retainedTiers(now: number, retention: Retention): Record<Tier, number> {
  const entries = TIERS.map((tier) => [tier, retainedFrom(tier, now, retention)]);
  return Object.fromEntries(entries) as Record<Tier, number>;
}
