import { cloudEvent } from '@tidewatch/contracts/event';
import { toIso } from '@tidewatch/contracts/time';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { type ServiceHappening, serviceEvent } from '@tidewatch/domain/event/service-event';
import { alertLinks } from '@tidewatch/domain/notification/links';
import { type AlertRow, alertRecord } from '@tidewatch/store/alerts/write-row';
import type { OutboxEntry } from '@tidewatch/store/outbox/append';
import type { AlertHappening } from '../judging/changes.ts';
import type { JudgedService } from '../memory/judged-service.ts';

export interface EventStamp {
  newEventId(): string;
  publicUrl: string | null;
  /** Server clock, ms. */
  now: number;
}

/** What happened to an alert, with the record as it was at that moment. */
export function alertEvent(
  stamp: EventStamp,
  happening: AlertHappening,
  row: AlertRow,
  rule: CompiledRule,
): OutboxEntry {
  const runbook = rule.definition.runbook_url;
  const alert = alertRecord(row);
  const links = alertLinks(stamp.publicUrl, alert);
  const event = cloudEvent({
    id: stamp.newEventId(),
    organizationId: row.org_id,
    type: `alert.${happening}`,
    subject: row.id,
    time: toIso(stamp.now),
    data: {
      alert,
      rule: { id: row.rule_id, name: rule.definition.name, runbook_url: runbook },
      links: { alert: links.alert, service: links.service, runbook },
    },
  });
  return { organizationId: row.org_id, event };
}

/** What happened to a service, with its health as it is now. */
export function healthEvent(
  stamp: EventStamp,
  happening: ServiceHappening,
  service: JudgedService,
): OutboxEntry {
  const { organizationId, health } = service;
  const told = { ...service, status: health.status, reasons: health.reasons, statusSince: health.since };
  return { organizationId, event: serviceEvent(stamp.newEventId(), happening, told, stamp.now) };
}
