import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { INVESTIGATION_EVENTS } from '@tidewatch/contracts/events/event-types';
import type { Finding } from '@tidewatch/contracts/investigations/finding';
import { toIso } from '@tidewatch/contracts/time/time';
import { investigationLinks } from '@tidewatch/domain/notification/links';
import type { EventOrigin } from '../alerts/alert-event.ts';
import { type InvestigationRow, investigationItem } from './row.ts';

/** The max number of findings in an event; the record of the investigation has all of them. */
const MAX_FINDINGS = 10;

/** The findings of one detector, for an event about progress. */
export interface Progress {
  detector: string;
  findings: readonly Finding[];
}

/** An event about an investigation, with its fields at that moment. */
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
    organizationId: row.organization_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: {
      investigation,
      detector: progress?.detector ?? null,
      findings: (progress?.findings ?? findings).slice(0, MAX_FINDINGS).map(findingSummary),
      findings_total: findings.length,
      analysis: row.analysis === null ? null : wordsOf(row.analysis),
      links: investigationLinks(publicUrl, { id: row.id, serviceId: row.service_id }),
    },
  });
}

function findingSummary({ id, kind, title, score, service_id, host, subject }: Finding) {
  return { id, kind, title, score, service_id, host, subject };
}

function wordsOf(analysis: NonNullable<InvestigationRow['analysis']>) {
  const { summary, root_cause, root_cause_finding_id, source } = analysis;
  return { summary, root_cause, root_cause_finding_id, source };
}
