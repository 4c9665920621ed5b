import { cloudEvent, type Event, type ServiceEventData } from '@tidewatch/contracts/events/event';
import { toIso } from '@tidewatch/contracts/time/time';

export type ServiceHappening = 'registered' | 'offline' | 'online' | 'archived';

/** A service as its events show it. Times are ms. */
export interface EventService {
  organizationId: string;
  serviceId: string;
  host: string;
  tags: Readonly<Record<string, string>>;
  status: string;
  reasons: readonly unknown[];
  statusSince: number;
  lastSeen: number | null;
}

/** The event of a change of a service; `now` is the server's clock, ms. */
export function serviceEvent(
  id: string,
  happening: ServiceHappening,
  service: EventService,
  now: number,
): Event {
  const { organizationId, serviceId, host, tags, status, reasons, statusSince, lastSeen } = service;
  const data = {
    service: {
      id: serviceId,
      name: host,
      host,
      status,
      status_reasons: reasons,
      status_since: toIso(statusSince),
      last_seen: lastSeen === null ? null : toIso(lastSeen),
      tags,
    },
  } as ServiceEventData;
  return cloudEvent({
    id,
    organizationId,
    type: `service.${happening}`,
    subject: serviceId,
    time: toIso(now),
    data,
  });
}
