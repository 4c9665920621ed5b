import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { ALERT_EVENTS } from '@tidewatch/contracts/events/event-types';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { toIso } from '@tidewatch/contracts/values/time';
import { alertLinks } from '@tidewatch/domain/notification/links';
import { type AlertRow, alertRecord } from './write-row.ts';

/** What an event says of an alert's rule. */
export interface EventRule {
  name: string;
  runbookUrl: string | null;
}

/** When something is told (server clock, ms), and where people reach the product. */
export interface EventOrigin {
  now: number;
  publicUrl: string | null;
}

/** What happened to an alert, with its record as it was at that moment, and what flaps where that is what happened. */
export function alertEvent(
  id: string,
  type: (typeof ALERT_EVENTS)[number],
  row: AlertRow,
  rule: EventRule,
  { now, publicUrl }: EventOrigin,
  flappingSeverity: Severity | null = null,
): Event {
  const { name, runbookUrl: runbook } = rule;
  const alert = alertRecord(row);
  const links = alertLinks(publicUrl, alert);
  return cloudEvent({
    id,
    organizationId: row.org_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: {
      alert,
      rule: { id: row.rule_id, name, runbook_url: runbook },
      links: { alert: links.alert, service: links.service, runbook },
      ...(flappingSeverity !== null && { flapping_severity: flappingSeverity }),
    },
  });
}
