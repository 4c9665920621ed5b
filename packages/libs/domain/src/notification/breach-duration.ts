import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { BACKFILL_AGE_MS } from '../alerting/backfill.ts';

type Breach = Pick<
  Alert,
  'pending_since' | 'fired_at' | 'resolved_at' | 'resolution' | 'backfilled' | 'created_at' | 'updated_at'
>;

/** The kinds of resolution that are not caused by a sample; their `resolved_at` is a time of our clock. */
const BY_OUR_CLOCK: ReadonlySet<Alert['resolution']> = new Set([
  ...(['manual', 'rule_deleted', 'rule_disabled', 'rule_changed'] as const),
  ...(['service_deleted', 'service_archived'] as const),
]);

/**
 * How long a breach has lasted at `time`, or lasted until it ended, ms. The times of its samples are of the host's clock,
 * which may be wrong or corrected meanwhile, so they are compared only with each other and limited by our clock; only for a
 * backfilled alert the host's clock alone counts.
 */
export function breachDuration(alert: Breach, time: number): number {
  const firedAt = Date.parse(alert.fired_at);
  const createdAt = Date.parse(alert.created_at);
  const pending = Math.max(0, firedAt - Date.parse(alert.pending_since ?? alert.fired_at));
  const known = alert.backfilled ? Math.max(0, createdAt - firedAt) : 0;
  if (alert.resolved_at === null) return pending + known + Math.max(0, time - createdAt);
  const resolvedAt = Date.parse(alert.resolved_at);
  if (BY_OUR_CLOCK.has(alert.resolution)) return pending + known + Math.max(0, resolvedAt - createdAt);
  const byHost = resolvedAt - firedAt;
  const byUs = known + Math.max(0, Math.min(time, Date.parse(alert.updated_at)) - createdAt);
  return pending + (byHost >= 0 && byHost <= byUs + BACKFILL_AGE_MS ? byHost : byUs);
}
