import { type Retention, retainedFrom, TIERS, type Tier } from '@tidewatch/domain/rollup/tier';

/** From when on (ms) each tier still holds everything. */
export function retainedTiers(now: number, retention: Retention): Record<Tier, number> {
  const entries = TIERS.map((tier) => [tier, retainedFrom(tier, now, retention)]);
  return Object.fromEntries(entries) as Record<Tier, number>;
}
