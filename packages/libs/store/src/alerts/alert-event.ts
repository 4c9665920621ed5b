import { type ALERT_EVENTS, cloudEvent, type Event } from '@tidewatch/contracts/event';
import { toIso } from '@tidewatch/contracts/time';
import { type AlertRow, alertRecord } from './write-row.ts';

/** What an event says of an alert's rule. */
export interface ToldRule {
  name: string;
  runbookUrl: string | null;
}

/** What happened to an alert, with its record as it was at that moment; `now` is the server's clock, ms. */
export function alertEvent(
  id: string,
  type: (typeof ALERT_EVENTS)[number],
  row: AlertRow,
  rule: ToldRule,
  now: number,
): Event {
  const { name, runbookUrl: runbook } = rule;
  return cloudEvent({
    id,
    organizationId: row.org_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: {
      alert: alertRecord(row),
      rule: { id: row.rule_id, name, runbook_url: runbook },
      links: { alert: null, service: null, runbook },
    },
  });
}
