import {
  perRollupTier,
  perTier,
  ROLLUP_TIERS,
  TIER_FACTS,
  TIERS,
  type Tier,
} from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';

export { TIERS, type Tier };

/** How long each tier is kept, in ms, by sample time. */
export type Retention = Readonly<Record<Tier, number>>;

/** The length of a tier's buckets, ms. Raw samples have no buckets; they serve any step of at least a second. */
export const TIER_MS = perRollupTier((tier) => TIER_FACTS[tier].widthMs as number);

export const DEFAULT_RETENTION: Retention = perTier((tier) => TIER_FACTS[tier].retentionDays * DAY_MS);

/** Start of the bucket of `stepMs` that holds a time; buckets are aligned to the epoch, in UTC. */
export function bucketOf(time: number, stepMs: number): number {
  return Math.floor(time / stepMs) * stepMs;
}

/** The coarsest tier whose buckets divide the step; raw for steps below a minute and steps that no tier divides. */
export function tierForStep(stepMs: number): Tier {
  return ROLLUP_TIERS.findLast((tier) => stepMs % TIER_MS[tier] === 0) ?? 'raw';
}

/** The time from which on a tier still holds all data: the start of the UTC day in which its retention ends. */
export function retainedFrom(tier: Tier, now: number, retention: Retention): number {
  return bucketOf(now - retention[tier], DAY_MS);
}

/** For each tier, the time from which on it still holds all data. */
export function retainedTiers(now: number, retention: Retention): Record<Tier, number> {
  return perTier((tier) => retainedFrom(tier, now, retention));
}
