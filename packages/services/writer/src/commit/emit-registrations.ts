import type { Transaction } from '@tidewatch/database/connection';
import { serviceEvent } from '@tidewatch/domain/event/service-event';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';

/** Emits `service.registered` for the services that this transaction created; `now` in ms. */
export async function emitRegistrations(
  tx: Transaction,
  directory: Pick<ServiceDirectory, 'created'>,
  newEventId: () => string,
  now: number,
): Promise<void> {
  const events = directory.created().map((entry) => {
    const health = { status: 'healthy', reasons: [], statusSince: now, lastSeen: now };
    return {
      organizationId: entry.organizationId,
      event: serviceEvent(newEventId(), 'registered', { ...entry, ...health }, now),
    };
  });
  await appendEvents(tx, events);
}
