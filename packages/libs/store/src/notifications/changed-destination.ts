import type { Transaction } from '@tidewatch/database/connection';

/**
 * After a change of a channel, resets its failures and circuit breaker and schedules its queued notifications at `now`
 * (ms), for the new destination or to be given up. Skips notifications that are being attempted or are locked. The caller
 * must hold the lock of the channel.
 */
export async function resetDestination(
  tx: Transaction,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<void> {
  await tx`
    update destination_paces set failures = 0, open_until = null, paused_until = null, answered_at = null
    where organization_id = ${organizationId} and channel = ${id} and (failures > 0 or paused_until is not null or answered_at is not null)`;
  await tx`
    update notifications n set next_attempt_at = ${now}
    from (
      select id from notifications
      where organization_id = ${organizationId} and channel = ${id} and status = 'queued' and next_attempt_at > ${now}
        and not attempting
      for update skip locked
    ) waiting
    where n.organization_id = ${organizationId} and n.id = waiting.id`;
}
