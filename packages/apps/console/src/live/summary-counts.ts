import type { components } from '@tidewatch/api-client/generated/api';
import type { Alert } from './alert-filter.ts';

export type Summary = components['schemas']['Summary'];

/** How many alerts an event of this type begins or ends. */
const CHANGES: Readonly<Record<string, number>> = { 'alert.fired': 1, 'alert.resolved': -1 };

/**
 * The summary after an alert began or ended, so that counts and the title of a hidden page follow without a request;
 * undefined where the event has to be asked about. A summary that is newer than the event counts it already.
 */
export function summaryAfter(
  summary: Summary,
  eventType: string,
  eventTime: string,
  { severity, shadow, acknowledged_at }: Alert,
): Summary | undefined {
  const change = CHANGES[eventType];
  if (change === undefined || shadow || Date.parse(eventTime) <= Date.parse(summary.as_of)) return undefined;
  const { total, [severity]: counts, ...others } = summary.alerts;
  const isAcknowledged = acknowledged_at !== null;
  const alerts = {
    ...others,
    total: Math.max(total + change, 0),
    [severity]: {
      total: Math.max(counts.total + change, 0),
      acknowledged: Math.max(counts.acknowledged + (isAcknowledged ? change : 0), 0),
    },
  } as Summary['alerts'];
  return { ...summary, alerts };
}
