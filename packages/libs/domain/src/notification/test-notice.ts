import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { summarize } from '../alerting/summary.ts';

export interface TestNoticeIds {
  organization: string;
  rule: string;
  service: string;
  alert: string;
  event: string;
}

export interface TestNotice {
  transition: 'fired' | 'resolved';
  event: Event;
  alerts: [Alert];
}

const BREACH = { metric: 'cpu_percent', condition: 'greater_than', threshold: 90, value: 97.5 } as const;

/** The content of a test of a channel: a fictitious alert, or its resolution. `now` in ms. */
export function testNotice(
  transition: TestNotice['transition'],
  channel: string,
  ids: TestNoticeIds,
  now: number,
): TestNotice {
  const alert = testAlert(transition === 'resolved', channel, ids, now);
  const event = cloudEvent({
    id: ids.event,
    organizationId: ids.organization,
    type: `alert.${transition}`,
    subject: alert.id,
    time: toIso(now),
    data: {
      alert,
      rule: { id: alert.rule_id, name: alert.rule_name, runbook_url: null },
      links: { alert: null, service: null, investigation: null, runbook: null },
    },
  });
  return { transition, event, alerts: [alert] };
}

function testAlert(resolved: boolean, channel: string, ids: TestNoticeIds, now: number): Alert {
  const host = 'example-host';
  const { metric, condition, threshold, value } = BREACH;
  const durationMs = 5 * MINUTE_MS;
  return {
    id: ids.alert,
    rule_id: ids.rule,
    rule_name: `Test of the channel ${channel}`,
    rule_version: 1,
    service_id: ids.service,
    host,
    subject: { kind: 'host', name: host },
    status: resolved ? 'resolved' : 'active',
    state: resolved ? 'resolved' : 'firing',
    severity: 'info',
    metric,
    condition,
    threshold,
    threshold_max: null,
    value: resolved ? 12.5 : value,
    value_at_fire: value,
    peak_value: value,
    summary: summarize({ host, metric, value, condition, threshold, thresholdMax: null, durationMs }),
    pending_since: toIso(now - durationMs),
    fired_at: toIso(now),
    resolved_at: resolved ? toIso(now) : null,
    resolution: resolved ? 'recovered' : null,
    acknowledged_at: null,
    acknowledged_by: null,
    silenced_by: null,
    flap_count: 0,
    backfilled: false,
    shadow: false,
    no_data: false,
    context: {
      processes: [{ name: 'example', pid: 4711, cpu_percent: 93, memory_rss: 104_857_600 }],
      containers: [],
    },
    notifications: [],
    comments: [],
    investigation_id: null,
    created_at: toIso(now),
    updated_at: toIso(now),
  };
}
