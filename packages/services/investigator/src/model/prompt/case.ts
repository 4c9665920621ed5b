import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import type { Investigation } from '@tidewatch/contracts/investigations/investigation';

/**
 * The input of a prompt: only the findings of the statistics, as they are stored, so that a stored investigation gives the
 * same prompt.
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
  /** The finding that the statistics name as the cause; null if they are inconclusive. */
  readonly rootCauseFindingId: string | null;
  /** The evidence that findings cite, without evidence that a model read by its tools. */
  readonly evidence: readonly Evidence[];
}

/** The entry in the `stats` of evidence that a model read by its tools. */
export const ASKED_BY_MODEL = { asked_by: 'model' } as const;

export function isAskedByModel(evidence: Evidence): boolean {
  return evidence.stats['asked_by'] === ASKED_BY_MODEL.asked_by;
}

/** The case of a recorded investigation. */
export function caseOf(record: Investigation): Case {
  return {
    ...record,
    rootCauseFindingId: record.analysis?.root_cause_finding_id ?? null,
    evidence: record.evidence.filter((each) => !isAskedByModel(each)),
  };
}

/** The finding with this id. */
export function findingOf(of: Case, id: string | null): Finding | null {
  return of.findings.find((finding) => finding.id === id) ?? null;
}
