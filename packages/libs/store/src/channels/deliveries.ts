import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';

/** The outcome of a delivery to a channel; `at` in ms. */
export interface ChannelDelivery {
  organizationId: string;
  channelId: string;
  status: 'delivered' | 'failed';
  at: number;
  error: string | null;
}

/** Stores the newest delivery of a channel; an older one that is recorded later changes nothing. */
export async function recordDelivery(sql: Queryable, delivery: ChannelDelivery): Promise<void> {
  const { organizationId, channelId, status, at, error } = delivery;
  await sql`
    insert into channel_deliveries (organization_id, channel_id, status, at, error)
    values (${organizationId}, ${channelId}, ${status}, ${at}, ${error})
    on conflict (organization_id, channel_id) do update set status = excluded.status, at = excluded.at, error = excluded.error
    where channel_deliveries.at <= excluded.at`;
}

/** Stores the outcome of a test that a user requested. `name` is the channel's. */
export async function recordTest(
  tx: Transaction,
  delivery: ChannelDelivery,
  name: string,
  audit: AuditTrail,
): Promise<void> {
  const { channelId: id, status, error } = delivery;
  await recordDelivery(tx, delivery);
  await recordAudit(tx, audit, [
    {
      action: 'channel.tested',
      object: { type: 'channel', id, name },
      before: null,
      after: { status, error },
    },
  ]);
}
