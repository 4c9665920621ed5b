import { perTier, TIER_FACTS, type Tier } from './tiers.ts';

/** How long each kind of data is kept, in days; each tier at least as long as the next finer one. */
export interface RetentionDays extends Record<Tier, number> {
  /** For snapshots of processes and containers. */
  snapshots: number;
  /** For resolved alerts, published events, notifications and ended silences. */
  alerts: number;
  /** For ended investigations with their evidence, and for markers. */
  investigations: number;
}

/** What is kept where no setting `TIDEWATCH_RETENTION_…_DAYS` says otherwise. */
export const DEFAULT_RETENTION_DAYS: RetentionDays = {
  ...perTier((tier) => TIER_FACTS[tier].retentionDays),
  snapshots: 2,
  alerts: 400,
  investigations: 400,
};
