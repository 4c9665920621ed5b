import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { testNotice } from './test-notice.ts';

export const NOW = Date.UTC(2026, 10, 22, 14, 36, 28);
const IDS = {
  organization: `org_${'0'.repeat(32)}`,
  rule: `rul_${'1'.repeat(32)}`,
  service: `svc_${'2'.repeat(32)}`,
  alert: `alr_${'3'.repeat(32)}`,
  event: `evt_${'4'.repeat(32)}`,
};

/** A critical alert of web-01 that fired at NOW, with the fields that a test overrides. */
export function anAlert(fields: Partial<Alert> = {}): Alert {
  const [alert] = testNotice('fired', '', IDS, NOW).alerts;
  return {
    ...alert,
    host: 'web-01',
    subject: { kind: 'host', name: 'web-01' },
    rule_name: 'CPU is busy',
    severity: 'critical',
    summary: 'web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes.',
    ...fields,
  };
}

/** The alert of `anAlert`, resolved 12 minutes after its breach began. */
export function aResolvedAlert(fields: Partial<Alert> = {}): Alert {
  return anAlert({
    status: 'resolved',
    state: 'resolved',
    resolution: 'recovered',
    value: 12.5,
    resolved_at: toIso(NOW + 7 * MINUTE_MS),
    ...fields,
  });
}

/** The event about an alert, with the rule's name and runbook. */
export function anEvent(alert: Alert, runbookUrl: string | null = null): Event {
  return cloudEvent({
    id: IDS.event,
    organizationId: IDS.organization,
    type: alert.status === 'resolved' ? 'alert.resolved' : 'alert.fired',
    subject: alert.id,
    time: alert.resolved_at ?? toIso(NOW),
    data: {
      alert,
      rule: { id: alert.rule_id, name: alert.rule_name, runbook_url: runbookUrl },
      links: { alert: null, service: null, investigation: null, runbook: runbookUrl },
    },
  });
}
