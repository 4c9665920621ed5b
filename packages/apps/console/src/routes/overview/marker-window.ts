import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Alert } from '../../live/alert-filter.ts';

/** A change does harm within this time, or it is seldom the reason. */
const BEFORE_MS = 30 * MINUTE_MS;

/** From when to when a change may have led to these alerts, ms: a while before the first fired until the last fired. */
export function markerWindow(alerts: readonly Pick<Alert, 'fired_at'>[]): { from: number; to: number } {
  const fired = alerts.map(({ fired_at }) => Date.parse(fired_at));
  return { from: Math.min(...fired) - BEFORE_MS, to: Math.max(...fired) };
}

/** Whether any of the times lies in the window. */
export function hasOneIn(times: readonly string[], { from, to }: { from: number; to: number }): boolean {
  return times.some((at) => Date.parse(at) >= from && Date.parse(at) <= to);
}
