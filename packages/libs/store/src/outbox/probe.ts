import type { ProbeEvent } from '@tidewatch/contracts/events/probe';
import type { Transaction } from '@tidewatch/database/connection';
import { appendEvents } from './append.ts';

/** The organization id under which events of the installation itself are stored. */
const INSTALLATION_ID = 'tidewatch';

/** Appends a probe event, and deletes the published ones. */
export async function appendProbe(tx: Transaction, event: ProbeEvent): Promise<void> {
  const deleting = tx`
    delete from outbox where id in (
      select id from outbox where event ->> 'type' = 'pipeline.probe' and published_at is not null
      for update skip locked)`;
  await Promise.all([deleting, appendEvents(tx, [{ organizationId: INSTALLATION_ID, event }])]);
}
