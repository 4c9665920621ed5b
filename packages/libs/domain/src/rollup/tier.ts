import { TIER_FACTS, TIERS, type Tier } from '@tidewatch/contracts/services/tier';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/values/duration';

export { TIERS, type Tier };

/** How long each tier is kept, in ms, by sample time. */
export type Retention = Readonly<Record<Tier, number>>;

/** Length of a tier's buckets in ms. Raw samples have none; they serve any step of at least a second. */
export const TIER_MS: Readonly<Record<Exclude<Tier, 'raw'>, number>> = {
  '1m': MINUTE_MS,
  '1h': HOUR_MS,
  '1d': DAY_MS,
};

export const DEFAULT_RETENTION: Retention = {
  raw: TIER_FACTS.raw.retentionDays * DAY_MS,
  '1m': TIER_FACTS['1m'].retentionDays * DAY_MS,
  '1h': TIER_FACTS['1h'].retentionDays * DAY_MS,
  '1d': TIER_FACTS['1d'].retentionDays * DAY_MS,
};

/** Start of the bucket of `stepMs` that holds a time; buckets are aligned to the epoch, in UTC. */
export function bucketOf(time: number, stepMs: number): number {
  return Math.floor(time / stepMs) * stepMs;
}

/** The coarsest tier whose buckets add up to the step; raw below a minute and for steps that no tier divides. */
export function tierForStep(stepMs: number): Tier {
  if (stepMs % DAY_MS === 0) return '1d';
  if (stepMs % HOUR_MS === 0) return '1h';
  return stepMs % MINUTE_MS === 0 ? '1m' : 'raw';
}

/** The time from which on a tier still holds everything: the start of the UTC day in which its retention ends. */
export function retainedFrom(tier: Tier, now: number, retention: Retention): number {
  return bucketOf(now - retention[tier], DAY_MS);
}
