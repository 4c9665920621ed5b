import type { Analysis } from '@tidewatch/contracts/investigations/analysis';
import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import type { Case } from '../prompt/case.ts';

const id = (prefix: string, digit: string) => `${prefix}_0197f3a1c0de7b3c9a51d2e4f6a80b1${digit}`;

export const CPU = id('evd', '1');
export const STRESS = id('evd', '2');
export const PEERS = id('evd', '3');
export const CAUSE = id('fnd', '1');
export const SHIFT = id('fnd', '2');
/** An id of valid form that does not exist. */
export const INVENTED = `evd_${'f'.repeat(12)}7${'f'.repeat(19)}`;

const [FROM, TO] = ['2026-11-21T14:00:00.000Z', '2026-11-21T14:41:00.000Z'];

function evidence(of: Partial<Evidence> & { id: string }): Evidence {
  return { query: 'GET /api/v1/services', from: FROM, to: TO, stats: {}, points: [], ...of };
}

function finding(of: Partial<Finding> & Pick<Finding, 'id' | 'evidence_ids'>): Finding {
  return {
    kind: 'process',
    title: 'The process "stress" took the processor.',
    description: 'It did not run before.',
    score: 0.93,
    possible_cause: true,
    service_id: id('svc', '1'),
    host: 'web-01',
    subject: { kind: 'process', name: 'stress' },
    metric: 'cpu_percent',
    baseline: null,
    observed: null,
    started_at: '2026-11-21T14:31:00.000Z',
    hosts: [],
    unaffected_hosts: [],
    ...of,
  };
}

/** An example case: the statistics found a process that used up the processor of a host. */
export function exampleCase(otherwise: Partial<Case> = {}): Case {
  return {
    title: 'web-01: cpu_percent is 93.5, above 90 for 5 minutes.',
    severity: 'critical',
    host: 'web-01',
    metric: 'cpu_percent',
    question: null,
    from: FROM,
    to: TO,
    conclusion: 'root_cause_found',
    confidence: 'high',
    rootCauseFindingId: CAUSE,
    findings: [
      finding({ id: CAUSE, evidence_ids: [STRESS, CPU] }),
      finding({
        id: SHIFT,
        kind: 'metric_shift',
        title: 'cpu_percent of web-01 rose.',
        score: 0.8,
        subject: { kind: 'host', name: 'web-01' },
        baseline: {
          median: 22,
          min: 17.4,
          max: 27.9,
          count: 1_440,
          from: '2026-11-20T14:00:00.000Z',
          to: FROM,
        },
        observed: { median: 96, min: 91, max: 99.5, count: 60, from: '2026-11-21T14:31:00.000Z', to: TO },
        evidence_ids: [CPU, PEERS],
      }),
    ],
    evidence: [
      evidence({
        id: CPU,
        stats: { median_before: 22, median: 96, mad: 1.4 },
        points: Array.from({ length: 200 }, (_, index) => ({
          t: new Date(Date.parse(FROM) + index * 12_000).toISOString(),
          value: index < 155 ? 22 + (index % 3) : 96,
        })),
      }),
      evidence({
        id: STRESS,
        stats: { cpu_percent: 72, memory: 3 * 2 ** 30 },
        points: [{ name: 'stress', pid: 4_711 }],
      }),
      evidence({ id: PEERS, stats: { peers: 12, moved: 0 } }),
    ],
    ...otherwise,
  };
}

/** The analysis of the example by the statistics. */
export const STATISTICS: Analysis = {
  summary: 'cpu_percent of web-01 rose from 22 to 96.',
  root_cause: 'The process "stress" on web-01.',
  root_cause_finding_id: CAUSE,
  inconclusive_reason: null,
  details_markdown: 'By the statistics.',
  source: 'statistics',
  model: null,
  model_status: 'not_configured',
  model_reason: null,
  claims_dropped: 0,
};
