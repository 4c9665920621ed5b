import type { Event } from '@tidewatch/api-client/events';
import type { Schema } from '@tidewatch/api-client/schema';

export type InvestigationEvent = Extract<Event, { data: { investigation: unknown } }>;
type Investigation = Schema<'Investigation'>;
type Finding = Schema<'Finding'>;
type Named = InvestigationEvent['data']['findings'][number];

/**
 * An investigation under way with the findings of an event, the best first; undefined for an event that changes more. The
 * event has no descriptions, and findings get other ids with each detector, so that the record is read again soon.
 */
export function investigationAfter(
  known: Investigation,
  event: InvestigationEvent,
): Investigation | undefined {
  const isUnderWay = known.status === 'queued' || known.status === 'running';
  // A run of an investigation that was completed before keeps the findings of its former run until it ends.
  if (event.type !== 'investigation.progressed' || !isUnderWay || known.conclusion !== null) return undefined;
  const { status, from, to } = event.data.investigation;
  const keys = new Set(known.findings.map(keyOf));
  const added = event.data.findings.filter((finding) => !keys.has(keyOf(finding))).map(asFinding);
  const findings = [...known.findings, ...added].sort((a, b) => b.score - a.score);
  return { ...known, status, from, to, findings };
}

/** The same for one finding in each of its states. */
function keyOf({ kind, service_id, subject, title }: Named): string {
  return JSON.stringify([kind, service_id, subject.kind, subject.name, title]);
}

/** The finding of an event without what only the record has. */
function asFinding(finding: Named): Finding {
  return {
    ...finding,
    possible_cause: null,
    description: '',
    metric: null,
    baseline: null,
    observed: null,
    started_at: null,
    hosts: [],
    unaffected_hosts: [],
    evidence_ids: [],
  };
}
