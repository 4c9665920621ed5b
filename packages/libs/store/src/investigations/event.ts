import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { INVESTIGATION_EVENTS } from '@tidewatch/contracts/events/event-types';
import type { Finding } from '@tidewatch/contracts/investigations/finding';
import { toIso } from '@tidewatch/contracts/values/time';
import { investigationLinks } from '@tidewatch/domain/notification/links';
import type { EventOrigin } from '../alerts/alert-event.ts';
import { type InvestigationRow, investigationItem } from './row.ts';

/** The record has them all. */
const MAX_FINDINGS = 10;

/** What a detector has found, where that is what is told. */
export interface Progress {
  detector: string;
  findings: readonly Finding[];
}

/** What happened to an investigation, with it as it was at that moment. */
export function investigationEvent(
  id: string,
  type: (typeof INVESTIGATION_EVENTS)[number],
  row: InvestigationRow,
  { now, publicUrl }: EventOrigin,
  progress: Progress | null = null,
): Event {
  const { findings, ...investigation } = investigationItem(row);
  return cloudEvent({
    id,
    organizationId: row.org_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: {
      investigation,
      detector: progress?.detector ?? null,
      findings: (progress?.findings ?? findings).slice(0, MAX_FINDINGS).map(told),
      findings_total: findings.length,
      analysis: row.analysis === null ? null : wordsOf(row.analysis),
      links: investigationLinks(publicUrl, { id: row.id, serviceId: row.service_id }),
    },
  });
}

function told({ id, kind, title, score, service_id, host, subject }: Finding) {
  return { id, kind, title, score, service_id, host, subject };
}

function wordsOf(analysis: NonNullable<InvestigationRow['analysis']>) {
  const { summary, root_cause, root_cause_finding_id, source } = analysis;
  return { summary, root_cause, root_cause_finding_id, source };
}
