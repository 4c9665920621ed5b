import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/duration.ts';

interface TierFacts {
  /** The table or view that stores the rows of this tier. */
  relation: string;
  /** The next finer tier, from whose rows buckets are computed; null for raw samples. */
  source: string | null;
  /** The length of one bucket of this tier, ms; 0 for raw samples, which have no buckets. */
  widthMs: number;
  /** The data of this tier in words, placed before "kept" in the description of a setting. */
  title: string;
  /** The length of time that one partition of this tier covers. */
  partition: 'day' | 'month' | 'year';
  /** How long rows are kept by default, days; at least as long as those of the source. */
  retentionDays: number;
  /** How long after its end a bucket is rolled up, ms, so that the last buckets of the source are stored first. */
  settleMs: number;
  /** The longest range that TimescaleDB Community refreshes in one call, ms. */
  maxRefreshMs: number;
}

/** The tiers of stored samples, the finest first: raw samples, and the rollups of a minute, an hour and a day. */
export const TIER_FACTS = {
  raw: {
    relation: 'samples',
    source: null,
    widthMs: 0,
    title: 'samples as they came are',
    partition: 'day',
    retentionDays: 7,
    settleMs: 0,
    maxRefreshMs: 0,
  },
  '1m': {
    relation: 'rollup_1m',
    source: 'raw',
    widthMs: MINUTE_MS,
    title: 'the rollup of 1 minute is',
    partition: 'day',
    retentionDays: 30,
    settleMs: 0,
    maxRefreshMs: HOUR_MS,
  },
  '1h': {
    relation: 'rollup_1h',
    source: '1m',
    widthMs: HOUR_MS,
    title: 'the rollup of 1 hour is',
    partition: 'month',
    retentionDays: 400,
    settleMs: 2 * MINUTE_MS,
    maxRefreshMs: 6 * HOUR_MS,
  },
  '1d': {
    relation: 'rollup_1d',
    source: '1h',
    widthMs: DAY_MS,
    title: 'the rollup of 1 day is',
    partition: 'year',
    retentionDays: 1826,
    settleMs: 5 * MINUTE_MS,
    maxRefreshMs: 7 * DAY_MS,
  },
} as const satisfies Record<string, TierFacts>;

export type Tier = keyof typeof TIER_FACTS;
/** A tier that holds rollups. */
export type RollupTier = Exclude<Tier, 'raw'>;
/** A tier from which a coarser one is computed. */
export type SourceTier = NonNullable<(typeof TIER_FACTS)[Tier]['source']>;
export type TierRelation = (typeof TIER_FACTS)[Tier]['relation'];

/** Finest first. */
export const TIERS = Object.keys(TIER_FACTS) as Tier[];
export const ROLLUP_TIERS = TIERS.filter((tier) => tier !== 'raw');
/** The tier with the longest retention: older data is stored nowhere. */
export const COARSEST_TIER = TIERS.at(-1) as RollupTier;

/** The tier that is computed from `tier`. */
export function coarserOf(tier: SourceTier): RollupTier;
export function coarserOf(tier: Tier): RollupTier | undefined;
export function coarserOf(tier: Tier): RollupTier | undefined {
  return ROLLUP_TIERS.find((each) => TIER_FACTS[each].source === tier);
}

export function perTier<T>(valueFor: (tier: Tier) => T): Record<Tier, T> {
  return Object.fromEntries(TIERS.map((tier) => [tier, valueFor(tier)])) as Record<Tier, T>;
}

export function perRollupTier<T>(valueFor: (tier: RollupTier) => T): Record<RollupTier, T> {
  return Object.fromEntries(ROLLUP_TIERS.map((tier) => [tier, valueFor(tier)])) as Record<RollupTier, T>;
}
