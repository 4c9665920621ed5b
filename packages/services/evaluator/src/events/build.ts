import { cloudEvent, type ServiceEventData } from '@tidewatch/contracts/event';
import { toIso } from '@tidewatch/contracts/time';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { type AlertRow, alertRecord } from '@tidewatch/store/alerts/write-row';
import type { OutboxEntry } from '@tidewatch/store/outbox/append';
import type { JudgedService } from '../memory/judged-service.ts';

export interface EventStamp {
  newEventId(): string;
  /** Server clock, ms. */
  now: number;
}

/** `alert.fired` or `alert.resolved`, with the record as it was at that moment. */
export function alertEvent(
  stamp: EventStamp,
  type: 'alert.fired' | 'alert.resolved',
  row: AlertRow,
  rule: CompiledRule,
): OutboxEntry {
  const runbook = rule.definition.runbook_url;
  const event = cloudEvent({
    id: stamp.newEventId(),
    organizationId: row.org_id,
    type,
    subject: row.id,
    time: toIso(stamp.now),
    data: {
      alert: alertRecord(row),
      rule: { id: row.rule_id, name: rule.definition.name, runbook_url: runbook },
      links: { alert: null, service: null, runbook },
    },
  });
  return { organizationId: row.org_id, event };
}

/** `service.registered`, `service.offline` or `service.online`, with its health as it is now. */
export function serviceEvent(
  stamp: EventStamp,
  type: 'service.registered' | 'service.offline' | 'service.online',
  service: JudgedService,
): OutboxEntry {
  const { organizationId, serviceId, host, health, tags, lastSeen } = service;
  const data = {
    service: {
      id: serviceId,
      name: host,
      host,
      status: health.status,
      status_reasons: health.reasons,
      status_since: toIso(health.since),
      last_seen: lastSeen === null ? null : toIso(lastSeen),
      tags,
    },
  } as ServiceEventData;
  const event = cloudEvent({
    id: stamp.newEventId(),
    organizationId,
    type,
    subject: serviceId,
    time: toIso(stamp.now),
    data,
  });
  return { organizationId, event };
}
