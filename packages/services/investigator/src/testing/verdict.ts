import type { EvidenceDraft, FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';

export function evidence(fields: Partial<EvidenceDraft> = {}): EvidenceDraft {
  return {
    ref: 'host:web-01/cpu_percent',
    query: 'GET /x',
    from: 1_000,
    to: 2_000,
    stats: { median: 1 },
    points: [{ t: '1970-01-01T00:00:01.000Z', value: 1 }],
    ...fields,
  };
}

/** A finding that the process "job" is the cause. */
export function finding(fields: Partial<FindingDraft> = {}): FindingDraft {
  return {
    serviceId: 'svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c',
    host: 'web-01',
    kind: 'process',
    detector: 'test',
    title: '"job" appeared',
    description: 'It was not there before.',
    score: 0.9,
    metric: 'cpu_percent',
    subject: { kind: 'process', name: 'job' },
    baseline: null,
    observed: null,
    startedAt: 1_500,
    hosts: [],
    unaffectedHosts: [],
    evidence: [evidence()],
    ...fields,
  };
}

/** A verdict whose cause is the first finding. */
export function verdictOf(findings: readonly FindingDraft[], fields: Partial<Verdict> = {}): Verdict {
  const [first] = findings;
  const found = first !== undefined;
  return {
    findings: findings.map((each) => ({ ...each, possibleCause: true })),
    conclusion: found ? 'root_cause_found' : 'inconclusive',
    confidence: found ? 'high' : 'low',
    inconclusiveReason: found ? null : 'cause_not_seen',
    rootCause: found ? 0 : null,
    summary: 'In short.',
    rootCauseText: first?.title ?? null,
    detailsMarkdown: 'At length.',
    enoughAt: null,
    timeline: [],
    recommendations: [],
    ...fields,
  };
}
