import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { BACKFILL_AGE_MS } from '../alerting/backfill.ts';

type Breach = Pick<
  Alert,
  'pending_since' | 'fired_at' | 'resolved_at' | 'resolution' | 'backfilled' | 'created_at' | 'updated_at'
>;

/** Resolved by something else than a sample: `resolved_at` is a time of our clock then. */
const BY_OUR_CLOCK: ReadonlySet<Alert['resolution']> = new Set([
  ...(['manual', 'rule_deleted', 'rule_disabled', 'rule_changed'] as const),
  ...(['service_deleted', 'service_archived'] as const),
]);

/**
 * For how long a breach has lasted at `time`, or lasted until it ended, in ms and by our clock. `pending_since`, `fired_at` and the
 * `resolved_at` of samples are times of the host, whose clock may be wrong or set meanwhile, so they are compared with
 * each other alone, and only as far as our clock allows: samples may wait on a host for as long as they are fresh. An
 * alert that was backfilled fired long before we knew of it, which only the host's clock shows.
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
