import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import type { Investigation } from '@tidewatch/contracts/investigations/investigation';

/**
 * What a model is told of an investigation: what the statistics found, as the record keeps it, and nothing besides. So a
 * record that was read from the API makes the same prompt again.
 */
export interface Case
  extends Pick<
    Investigation,
    | 'title'
    | 'severity'
    | 'host'
    | 'metric'
    | 'question'
    | 'from'
    | 'to'
    | 'conclusion'
    | 'confidence'
    | 'findings'
  > {
  /** The finding that the statistics take for the cause; null where they are not sure. */
  readonly rootCauseFindingId: string | null;
  /** What the findings cite. What a model asked for by tools is not among it. */
  readonly evidence: readonly Evidence[];
}

/** Stands among the `stats` of evidence that a model asked for. */
export const ASKED_BY_MODEL = { asked_by: 'model' } as const;

export function isAskedByModel(evidence: Evidence): boolean {
  return evidence.stats['asked_by'] === ASKED_BY_MODEL.asked_by;
}

/** The case of a record. */
export function caseOf(record: Investigation): Case {
  return {
    ...record,
    rootCauseFindingId: record.analysis?.root_cause_finding_id ?? null,
    evidence: record.evidence.filter((each) => !isAskedByModel(each)),
  };
}

/** The finding of that id. */
export function findingOf(of: Case, id: string | null): Finding | null {
  return of.findings.find((finding) => finding.id === id) ?? null;
}
