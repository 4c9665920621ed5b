import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';

/** Alerts that are created later after they fired are in the index `alerts_late`. */
export const LATE_MS = 5 * MINUTE_MS;

/** The condition that an alert `a` was created more than five minutes after it fired, as in the index `alerts_late`. */
export function isLate(sql: Queryable) {
  return sql`a.created_at - a.fired_at > interval '5 minutes'`;
}
