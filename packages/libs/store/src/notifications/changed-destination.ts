import type { Transaction } from '../database/connection.ts';

/**
 * A channel is not what it was: what is known of its failures counts no longer, and what waits for it is due now (ms), so
 * that it is told where it goes now, or given up where that is nowhere. Left out is what is being attempted, and what
 * somebody else holds, as whoever adds to its digest: nobody is waited for. To be called by whoever has locked the channel.
 */
export async function resetDestination(
  tx: Transaction,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<void> {
  await tx`
    update destination_paces set failures = 0, open_until = null, paused_until = null, answered_at = null
    where org_id = ${organizationId} and channel = ${id} and (failures > 0 or paused_until is not null or answered_at is not null)`;
  await tx`
    update notifications n set next_attempt_at = ${now}
    from (
      select id from notifications
      where org_id = ${organizationId} and channel = ${id} and status = 'queued' and next_attempt_at > ${now}
        and not attempting
      for update skip locked
    ) waiting
    where n.org_id = ${organizationId} and n.id = waiting.id`;
}
