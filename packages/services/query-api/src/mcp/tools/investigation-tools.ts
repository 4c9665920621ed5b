import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { shownEvidence } from '@tidewatch/domain/prompt-text/shown-evidence';
import type { ApiAnswer, Tool } from './tool.ts';

const ITEM =
  'id,title,status,conclusion,confidence,severity,service_id,host,metric,alert_ids,from,to,created_at,completed_at';
const MAX_POINTS = 60;

/** The ids that texts of an investigation may cite. */
function idsOf({ findings = [], evidence = [] }: ApiAnswer): string[] {
  const cited = findings.flatMap(({ evidence_ids: ids = [] }: ApiAnswer) => ids);
  return [...findings, ...evidence].map(({ id }: ApiAnswer) => id).concat(cited);
}

/** A finding without what the model can ask for, and with numbers in few digits. */
function shortFinding({ hosts, unaffected_hosts: unaffected, baseline, observed, ...finding }: ApiAnswer) {
  return {
    ...finding,
    baseline: baseline === null ? null : { median: baseline.median, min: baseline.min, max: baseline.max },
    observed: observed === null ? null : { median: observed.median, min: observed.min, max: observed.max },
    suspect_hosts: hosts
      .slice(0, 10)
      .map(({ host, score, started_at }: ApiAnswer) => ({ host, score, started_at })),
    unaffected_hosts: unaffected.length,
  };
}

/** Tools that read investigations of causes, and ask for them. */
export const INVESTIGATION_TOOLS: readonly Tool[] = [
  {
    name: 'list_investigations',
    title: 'List investigations',
    description: 'Investigations of causes, the newest first, each with the title of its best finding.',
    operationId: 'listInvestigations',
    query: ['status', 'conclusion', 'severity', 'service_id', 'host', 'alert_id', 'from', 'to'],
    fixed: { fields: `${ITEM},findings.id,findings.title,findings.score,findings.possible_cause` },
    list: 'investigations',
    shows: ({ findings, ...item }) => ({ ...item, best_finding: findings[0] ?? null }),
    cites: idsOf,
  },
  {
    name: 'get_investigation',
    title: 'Read an investigation',
    description:
      'The conclusion, the findings with scores (the best first; one with possible_cause false is an effect), the timeline and recommendations of an investigation. Findings and texts cite evidence by ids; read one with get_evidence before you rely on its numbers. Cite the same ids in what you say.',
    operationId: 'getInvestigation',
    id: 'investigation_id',
    fixed: {
      fields: `${ITEM},question,failure,analysis.summary,analysis.root_cause,analysis.root_cause_finding_id,analysis.inconclusive_reason,analysis.source,findings,recommendations,timeline,evidence.id`,
    },
    shows: ({ evidence, findings, timeline, recommendations, ...head }) => ({
      ...head,
      findings: findings.map(shortFinding),
      recommendations,
      timeline,
      evidence_ids: evidence.map(({ id }: ApiAnswer) => id),
    }),
    cites: idsOf,
  },
  {
    name: 'get_evidence',
    title: 'Read evidence of an investigation',
    description:
      'One piece of evidence as it was when the investigation read it: the query, the numbers computed from it, and its points or rows.',
    operationId: 'getInvestigation',
    id: 'investigation_id',
    fixed: { fields: 'id,evidence' },
    schemas: { evidence_id: { type: 'string', description: 'An id that the investigation cites.' } },
    required: ['evidence_id'],
    shows: ({ id, evidence }, { evidence_id: wanted }) => {
      const found = evidence.find((each: ApiAnswer) => each.id === wanted);
      if (found === undefined)
        throw new ProblemError('not_found', { detail: 'The investigation has no evidence with this id.' });
      return { investigation_id: id, evidence: shownEvidence(found, MAX_POINTS) };
    },
    cites: idsOf,
  },
  {
    name: 'request_investigation',
    title: 'Ask for an investigation',
    description:
      'Starts a new investigation of an alert, or of a host in a window. It runs in the background: read it with get_investigation until its status is completed. Critical and warning alerts have one already.',
    operationId: 'requestInvestigation',
    body: ['alert_id', 'service_id', 'metric', 'from', 'to', 'question'],
    shows: ({ id, status, title, from, to }) => ({ id, status, title, from, to }),
    effect: { isDestructive: false, isIdempotent: false },
  },
];
