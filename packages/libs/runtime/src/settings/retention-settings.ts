import { DEFAULT_RETENTION_DAYS, type RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { perTier, TIER_FACTS, TIERS, type Tier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type ConfigOf, setting, wholeNumber } from './config.ts';

const days = (env: string, meaning: string, byDefault: number) =>
  setting({
    env,
    schema: wholeNumber(1, 36_500).default(byDefault),
    meaning: `${meaning}, in days.`,
    example: String(byDefault * 2),
  });

/** The setting of a tier, `retentionRaw`, `retention1m` and so on. */
type TierSetting = `retention${Capitalize<Tier>}`;
const settingOf = (tier: Tier) => `retention${tier === 'raw' ? 'Raw' : tier}` as TierSetting;

const tierRetention = Object.fromEntries(
  TIERS.map((tier) => [
    settingOf(tier),
    days(
      `TIDEWATCH_RETENTION_${tier.toUpperCase()}_DAYS`,
      `How long ${TIER_FACTS[tier].title} kept`,
      DEFAULT_RETENTION_DAYS[tier],
    ),
  ]),
) as Record<TierSetting, ReturnType<typeof days>>;

/** The settings of the time for which each kind of data is kept. */
export const retentionSettings = {
  ...tierRetention,
  retentionSnapshots: days(
    'TIDEWATCH_RETENTION_SNAPSHOTS_DAYS',
    'How long process snapshots are kept',
    DEFAULT_RETENTION_DAYS.snapshots,
  ),
  retentionAlerts: days(
    'TIDEWATCH_RETENTION_ALERTS_DAYS',
    'How long resolved alerts, events and notifications are kept',
    DEFAULT_RETENTION_DAYS.alerts,
  ),
  retentionInvestigations: days(
    'TIDEWATCH_RETENTION_INVESTIGATIONS_DAYS',
    'How long investigations with their evidence, and markers, are kept',
    DEFAULT_RETENTION_DAYS.investigations,
  ),
};

/** Returns the time for which each tier of samples is kept, ms. */
export function retentionMs(config: ConfigOf<typeof retentionSettings>): Record<Tier, number> {
  return perTier((tier) => config[settingOf(tier)] * DAY_MS);
}

/** The settings by kind of data, in days. */
export function retentionDays(config: ConfigOf<typeof retentionSettings>): RetentionDays {
  return {
    ...perTier((tier) => config[settingOf(tier)]),
    snapshots: config.retentionSnapshots,
    alerts: config.retentionAlerts,
    investigations: config.retentionInvestigations,
  };
}
