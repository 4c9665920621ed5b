import type { EventsQuery } from '@tidewatch/contracts/events/event-stream';
import { compilePattern } from '@tidewatch/domain/rules/pattern';
import type { LoggedEvent } from '@tidewatch/store/outbox/event-log';

/** The events that a client selects. */
export interface EventFilter {
  /** A text that is equal for filters that select the same events. */
  name: string;
  wants(event: LoggedEvent): boolean;
}

/** A filter of hosts never matches an event that is about no host. */
export function createFilter(query: EventsQuery): EventFilter {
  const { types, severity: severities, service_id: serviceId, host } = query;
  const wanted = types === undefined ? null : new Set<string>(types);
  const severe = severities === undefined ? null : new Set<string>(severities);
  const isHost = host === undefined ? null : compilePattern(host);
  return {
    name: JSON.stringify([types?.toSorted(), severities?.toSorted(), serviceId, host]),
    wants: (event) =>
      (wanted === null || wanted.has(event.type)) &&
      (severe === null || (event.severity !== null && severe.has(event.severity))) &&
      (serviceId === undefined || event.serviceId === serviceId) &&
      (isHost === null || (event.host !== null && isHost(event.host))),
  };
}
