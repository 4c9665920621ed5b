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
 * Whether a channel still has to learn of an active alert, as far as what it was sent goes: no notice with this severity
 * or a worse one was delivered or is on its way. One that failed counts until the channel is changed (`changedAt`, ms).
 */
export function isOwed(earlier: readonly EarlierOutcome[], severity: Severity, changedAt: number): boolean {
  return !earlier.some(
    (notice) =>
      notice.direction === 'opening' &&
      (isUnderWay(notice) || (notice.status === 'failed' && notice.createdAt > changedAt)) &&
      (notice.severity === null || isAtLeast(notice.severity, severity)),
  );
}

/** Whether the notice was delivered, or is about to be. */
export function isUnderWay({ status }: Pick<EarlierOutcome, 'status'>): boolean {
  return status === 'queued' || status === 'delivered';
}

/** How what was withheld is made good: as the end of a silence, as the firing, or as the rise that came after that. */
export function madeGoodAs(
  reasons: readonly (PassingReason | 'changed')[],
  hadNotice: boolean,
): 'silence_ended' | 'fired' | 'escalated' {
  if (reasons.includes('silenced')) return 'silence_ended';
  return hadNotice ? 'escalated' : 'fired';
}

/** An opening notifies of an active alert, a resolution of its end. */
export type Direction = 'opening' | 'resolution';
