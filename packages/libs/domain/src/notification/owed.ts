import type { NotificationStatus } from '@tidewatch/contracts/notifications/notification';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { isAtLeast, type PassingReason } from './decide-notice.ts';

/** The outcome of an earlier notice about the alert on the channel. */
export interface EarlierOutcome {
  direction: Direction;
  status: NotificationStatus;
  /** Severity of the alert in the notice; null in records of older versions. */
  severity: Severity | null;
  /** ms. */
  createdAt: number;
}

/**
 * Whether a channel must still be notified of an active alert: no notice of this severity or a worse one is queued or
 * delivered. A failed notice counts as sent until the channel changes (`changedAt`, ms).
 */
export function isOwed(earlier: readonly EarlierOutcome[], severity: Severity, changedAt: number): boolean {
  return !earlier.some(
    (notice) =>
      notice.direction === 'opening' &&
      (isUnderWay(notice) || (notice.status === 'failed' && notice.createdAt > changedAt)) &&
      (notice.severity === null || isAtLeast(notice.severity, severity)),
  );
}

/** Whether a notification is delivered or queued for delivery. */
export function isUnderWay({ status }: Pick<EarlierOutcome, 'status'>): boolean {
  return status === 'queued' || status === 'delivered';
}

/** Which event a withheld notice is sent as: the end of a silence, the firing, or the escalation. */
export function madeGoodAs(
  reasons: readonly (PassingReason | 'changed')[],
  hadNotice: boolean,
): 'silence_ended' | 'fired' | 'escalated' {
  if (reasons.includes('silenced')) return 'silence_ended';
  return hadNotice ? 'escalated' : 'fired';
}

/** The direction of a notice: an opening notifies of an active alert, a resolution of its end. */
export type Direction = 'opening' | 'resolution';
