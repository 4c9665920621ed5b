import type { TimelineEntry } from '@tidewatch/contracts/investigations/analysis';
import { expect, test } from 'vitest';
import { evidence, finding, verdictOf } from '../testing/verdict.ts';
import { recordVerdict } from './record-verdict.ts';

function minting() {
  let count = 0;
  return (prefix: string) => `${prefix}_${++count}`;
}

const context = { timeline: [], seconds: 1.5 };

test('recordVerdict merges evidence of one source into one piece with the most points and all numbers', () => {
  const [a, b] = [
    { t: '1', value: 1 },
    { t: '2', value: 2 },
  ];
  const { findings, evidence: kept } = recordVerdict(
    verdictOf([
      finding({ evidence: [evidence({ ref: 'x', points: [a, b], stats: { median: 1 } })] }),
      finding({
        evidence: [evidence({ ref: 'x', points: [a], stats: { mad: 2, median: 9 } }), evidence({ ref: 'y' })],
      }),
    ]),
    minting(),
    context,
  );
  expect(kept).toMatchObject([
    { ref: 'x', points: [a, b], stats: { median: 1, mad: 2 }, from: '1970-01-01T00:00:01.000Z' },
    { ref: 'y' },
  ]);
  expect(findings.map(({ evidence_ids: ids }) => ids)).toEqual([[kept[0]?.id], [kept[0]?.id, kept[1]?.id]]);
});

test('recordVerdict cites in timeline and recommendations only ids of stored evidence', () => {
  const entry = { at: 5_000, type: 'metric_shift', title: 't', actor: 'detector' } as const;
  const advice = { priority: 'high', title: 't', description: 'd', command: null, risk: 'None.' } as const;
  const {
    timeline,
    recommendations,
    evidence: kept,
  } = recordVerdict(
    verdictOf([finding()], {
      timeline: [{ ...entry, evidenceRefs: ['host:web-01/cpu_percent', 'nothing'] }],
      recommendations: [{ ...advice, evidenceRefs: ['nothing', 'host:web-01/cpu_percent'] }],
    }),
    minting(),
    context,
  );
  expect(timeline[0]?.evidence_ids).toEqual([kept[0]?.id]);
  expect(recommendations[0]?.evidence_ids).toEqual([kept[0]?.id]);
});

test('recordVerdict merges the transitions of alerts into the timeline of the detectors, by time and without duplicates', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const fired: TimelineEntry = {
    at: at(3_000),
    type: 'fired',
    title: 'rule',
    actor: 'system',
    evidence_ids: [],
  };
  const { timeline } = recordVerdict(
    verdictOf([finding()], {
      timeline: [
        { at: 4_000, type: 'change', title: 'c', actor: 'user', evidenceRefs: [] },
        { at: 3_000, type: 'fired', title: 'reported by a detector', actor: 'detector', evidenceRefs: [] },
      ],
    }),
    minting(),
    { timeline: [fired, { ...fired, at: at(1_000), type: 'pending' }], seconds: 1 },
  );
  expect(timeline.map(({ type, at: time }) => [type, time])).toEqual([
    ['pending', at(1_000)],
    ['fired', at(3_000)],
    ['change', at(4_000)],
  ]);
});

test('recordVerdict names the finding that is the cause, and none for an inconclusive verdict', () => {
  const found = recordVerdict(verdictOf([finding(), finding()]), minting(), context);
  expect(found.analysis).toMatchObject({
    root_cause: '"job" appeared',
    root_cause_finding_id: found.findings[0]?.id,
    source: 'statistics',
    model: null,
    model_status: 'not_configured',
    claims_dropped: 0,
  });
  expect(found.usage).toEqual({
    model_calls: 0,
    tool_calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    seconds: 1.5,
  });
  const nothing = recordVerdict(verdictOf([]), minting(), context);
  expect([nothing.conclusion, nothing.analysis.root_cause_finding_id]).toEqual(['inconclusive', null]);
});

test('recordVerdict gives two runs with the same evidence the same digest, for different ids', () => {
  const digestOf = (...findings: ReturnType<typeof finding>[]) =>
    recordVerdict(verdictOf(findings), minting(), context).digest.toString('hex');
  const other = finding({ evidence: [evidence({ ref: 'y' })] });
  expect(digestOf(finding(), other)).toBe(digestOf(other, finding()));
  expect(digestOf(finding())).not.toBe(digestOf(finding({ evidence: [evidence({ stats: { median: 2 } })] })));
});
