import type { Suppression, Unconfigured } from '@tidewatch/contracts/notifications/notification';
import type { Transaction } from '@tidewatch/database/connection';
import { type NotificationRow, notificationColumns } from './row.ts';

/** The outcome of an attempt. Times are ms. */
export type Settlement =
  | { kind: 'delivered'; reference: string | null; at: number }
  | { kind: 'retry'; error: string; at: number }
  | { kind: 'failed'; error: string }
  /** The notification was suppressed, so nothing was sent. */
  | { kind: 'suppressed'; reason: Suppression }
  | { kind: 'not_configured'; reason: Unconfigured };

/** Records the outcome of an attempt and returns the notification; null if another process has begun a later attempt. */
export async function settle(
  tx: Transaction,
  of: { organizationId: string; id: string; attempts: number },
  settlement: Settlement,
): Promise<NotificationRow | null> {
  const [row] = await tx<NotificationRow[]>`
    update notifications n set attempting = false, ${outcomeOf(tx, settlement)}
    where n.organization_id = ${of.organizationId} and n.id = ${of.id} and n.status = 'queued' and n.attempting
      and n.attempts = ${of.attempts}
    returning ${notificationColumns(tx)}`;
  return row ?? null;
}

function outcomeOf(tx: Transaction, settlement: Settlement) {
  switch (settlement.kind) {
    case 'delivered':
      return tx`status = 'delivered', reason = null, last_error = null, reference = ${settlement.reference},
        sent_at = ${settlement.at}::timestamptz`;
    case 'retry':
      return tx`last_error = ${settlement.error}, next_attempt_at = ${settlement.at}::timestamptz`;
    case 'failed':
      return tx`status = 'failed', last_error = ${settlement.error}`;
    default:
      return tx`status = ${settlement.kind}, reason = ${settlement.reason}, attempts = n.attempts - 1`;
  }
}
