import { perTier, TIER_FACTS, TIERS, type Tier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { z } from 'zod';
import { type ConfigOf, setting, wholeNumber } from './config.ts';

const days = (env: string, meaning: string, byDefault: number) =>
  setting({
    env,
    schema: wholeNumber(1, 36_500).default(byDefault),
    meaning: `${meaning}, in days.`,
    default: String(byDefault),
    example: String(byDefault * 2),
  });

/** The settings by which a process reaches a database that Tidewatch does not run itself. */
export const databaseSettings = {
  databaseUrl: setting({
    env: 'TIDEWATCH_DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    meaning: 'The database, postgres://user:password@host:port/name.',
    example: 'postgres://tidewatch_writer:secret@db:5432/tidewatch',
    secret: true,
  }),
};

/** The setting of a tier, `retentionRaw`, `retention1m` and so on. */
type TierSetting = `retention${Capitalize<Tier>}`;
const settingOf = (tier: Tier) => `retention${tier === 'raw' ? 'Raw' : tier}` as TierSetting;

const tierRetention = Object.fromEntries(
  TIERS.map((tier) => [
    settingOf(tier),
    days(
      `TIDEWATCH_RETENTION_${tier.toUpperCase()}_DAYS`,
      `How long ${TIER_FACTS[tier].title} kept`,
      TIER_FACTS[tier].retentionDays,
    ),
  ]),
) as Record<TierSetting, ReturnType<typeof days>>;

/** The settings of the time for which each kind of data is kept. */
export const retentionSettings = {
  ...tierRetention,
  retentionSnapshots: days('TIDEWATCH_RETENTION_SNAPSHOTS_DAYS', 'How long process snapshots are kept', 2),
  retentionAlerts: days(
    'TIDEWATCH_RETENTION_ALERTS_DAYS',
    'How long resolved alerts, events and notifications are kept',
    400,
  ),
  retentionInvestigations: days(
    'TIDEWATCH_RETENTION_INVESTIGATIONS_DAYS',
    'How long investigations with their evidence, and markers, are kept',
    400,
  ),
};

/** Returns the time for which each tier of samples is kept, ms. */
export function retentionMs(config: ConfigOf<typeof retentionSettings>): Record<Tier, number> {
  return perTier((tier) => config[settingOf(tier)] * DAY_MS);
}

/** The settings by kind of data, in days. */
export function retentionDays(config: ConfigOf<typeof retentionSettings>) {
  return {
    ...perTier((tier) => config[settingOf(tier)]),
    snapshots: config.retentionSnapshots,
    alerts: config.retentionAlerts,
    investigations: config.retentionInvestigations,
  };
}
