import { TIER_FACTS } from '@tidewatch/contracts/services/tier';
import { DAY_MS } from '@tidewatch/contracts/values/duration';
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

/** How to reach a database that somebody else runs. */
export const databaseSettings = {
  databaseUrl: setting({
    env: 'TIDEWATCH_DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    meaning: 'The database, postgres://user:password@host:port/name.',
    example: 'postgres://tidewatch_writer:secret@db:5432/tidewatch',
    secret: true,
  }),
};

/** How long everything is kept. */
export const retentionSettings = {
  retentionRaw: days(
    'TIDEWATCH_RETENTION_RAW_DAYS',
    'How long samples are kept as they came',
    TIER_FACTS.raw.retentionDays,
  ),
  retention1m: days(
    'TIDEWATCH_RETENTION_1M_DAYS',
    'How long the rollup of 1 minute is kept',
    TIER_FACTS['1m'].retentionDays,
  ),
  retention1h: days(
    'TIDEWATCH_RETENTION_1H_DAYS',
    'How long the rollup of 1 hour is kept',
    TIER_FACTS['1h'].retentionDays,
  ),
  retention1d: days(
    'TIDEWATCH_RETENTION_1D_DAYS',
    'How long the rollup of 1 day is kept',
    TIER_FACTS['1d'].retentionDays,
  ),
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

/** How long each tier of samples is kept, in ms. */
export function retentionMs(config: ConfigOf<typeof retentionSettings>) {
  return {
    raw: config.retentionRaw * DAY_MS,
    '1m': config.retention1m * DAY_MS,
    '1h': config.retention1h * DAY_MS,
    '1d': config.retention1d * DAY_MS,
  };
}

/** The settings by what they are kept of, in days. */
export function retentionDays(config: ConfigOf<typeof retentionSettings>) {
  return {
    raw: config.retentionRaw,
    rollup1m: config.retention1m,
    rollup1h: config.retention1h,
    rollup1d: config.retention1d,
    snapshots: config.retentionSnapshots,
    alerts: config.retentionAlerts,
    investigations: config.retentionInvestigations,
  };
}
