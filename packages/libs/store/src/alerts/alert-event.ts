import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { ALERT_EVENTS } from '@tidewatch/contracts/events/event-types';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { alertLinks } from '@tidewatch/domain/notification/links';
import { type AlertRow, alertRecord } from './write-row.ts';

/** The fields of a rule that an alert event contains. */
export interface EventRule {
  name: string;
  runbookUrl: string | null;
}

/** When an event is emitted (server's clock, ms), and the URL of the product for its links. */
export interface EventOrigin {
  now: number;
  publicUrl: string | null;
}

/** An event about an alert, with the alert's record at that moment; `flappingSeverity` for events about flapping. */
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
    organizationId: row.organization_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: {
      alert,
      rule: { id: row.rule_id, name, runbook_url: runbook },
      links: { alert: links.alert, service: links.service, investigation: links.investigation, runbook },
      ...(flappingSeverity !== null && { flapping_severity: flappingSeverity }),
    },
  });
}
