/** The tiers of stored samples, the finest first: raw samples, and the rollups of a minute, an hour and a day. */
export const TIERS = ['raw', '1m', '1h', '1d'] as const;

export type Tier = (typeof TIERS)[number];

export interface TierFacts {
  /** The relation that holds its rows. */
  relation: string;
  /** How long its rows are kept unless settings say otherwise, days. */
  retentionDays: number;
}

/** Facts about each tier that storage, retention and settings share. A coarser tier is kept at least as long as a finer one. */
export const TIER_FACTS: Readonly<Record<Tier, TierFacts>> = {
  raw: { relation: 'samples', retentionDays: 7 },
  '1m': { relation: 'rollup_1m', retentionDays: 30 },
  '1h': { relation: 'rollup_1h', retentionDays: 400 },
  '1d': { relation: 'rollup_1d', retentionDays: 1826 },
};
