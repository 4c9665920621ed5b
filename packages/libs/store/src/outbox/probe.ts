import type { ProbeEvent } from '@tidewatch/contracts/events/probe';
import type { Transaction } from '../database/connection.ts';
import { appendEvents } from './append.ts';

/** Belongs to the installation, and to no organization. */
const NOBODY = 'tidewatch';

/** Appends a probe; those that were published have done their work and go. */
export async function appendProbe(tx: Transaction, event: ProbeEvent): Promise<void> {
  await tx`
    delete from outbox where id in (
      select id from outbox where event ->> 'type' = 'pipeline.probe' and published_at is not null
      for update skip locked)`;
  await appendEvents(tx, [{ organizationId: NOBODY, event }]);
}
