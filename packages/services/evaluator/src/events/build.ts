import { type ServiceHappening, serviceEvent } from '@tidewatch/domain/event/service-event';
import { alertEvent as eventOfAlert } from '@tidewatch/store/alerts/alert-event';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { OutboxEntry } from '@tidewatch/store/outbox/append';
import type { StagedAlertEvent } from '../evaluation/changes.ts';
import type { MonitoredHost } from '../memory/monitored-host.ts';

export interface EventStamp {
  newEventId(): string;
  publicUrl: string | null;
  /** Server clock, ms. */
  now: number;
}

/** Returns the event of an alert, with its record at that moment. */
export function alertEvent(
  stamp: EventStamp,
  { kind, rule, flapping }: StagedAlertEvent,
  row: AlertRow,
): OutboxEntry {
  const { name, runbook_url: runbookUrl } = rule.definition;
  const event = eventOfAlert(stamp.newEventId(), `alert.${kind}`, row, { name, runbookUrl }, stamp, flapping);
  return { organizationId: row.organization_id, event };
}

/** Returns the event of a host, with its present health. */
export function healthEvent(stamp: EventStamp, event: ServiceHappening, service: MonitoredHost): OutboxEntry {
  const { organizationId, health } = service;
  const described = { ...service, status: health.status, reasons: health.reasons, statusSince: health.since };
  return { organizationId, event: serviceEvent(stamp.newEventId(), event, described, stamp.now) };
}
