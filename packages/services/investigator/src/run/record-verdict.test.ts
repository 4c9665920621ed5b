import type { TimelineEntry } from '@tidewatch/contracts/investigations/analysis';
import { expect, test } from 'vitest';
import { evidence, finding, verdictOf } from '../testing/verdict.ts';
import { recordVerdict } from './record-verdict.ts';

function minting() {
  let count = 0;
  return (prefix: string) => `${prefix}_${++count}`;
}

const more = { timeline: [], seconds: 1.5 };

test('one source is one piece of evidence: the most points, and every number that was taken of it', () => {
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
    more,
  );
  expect(kept).toMatchObject([
    { ref: 'x', points: [a, b], stats: { median: 1, mad: 2 }, from: '1970-01-01T00:00:01.000Z' },
    { ref: 'y' },
  ]);
  expect(findings.map(({ evidence_ids: ids }) => ids)).toEqual([[kept[0]?.id], [kept[0]?.id, kept[1]?.id]]);
});

test('timeline and recommendations cite evidence by its id, and nothing that is not kept', () => {
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
    more,
  );
  expect(timeline[0]?.evidence_ids).toEqual([kept[0]?.id]);
  expect(recommendations[0]?.evidence_ids).toEqual([kept[0]?.id]);
});

test('what alerts became stands among what detectors found, in the order of time and once', () => {
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
        { at: 3_000, type: 'fired', title: 'told by a detector', actor: 'detector', evidenceRefs: [] },
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

test('the words of the statistics name the finding that is the cause; without one there is none', () => {
  const found = recordVerdict(verdictOf([finding(), finding()]), minting(), more);
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
  const nothing = recordVerdict(verdictOf([]), minting(), more);
  expect([nothing.conclusion, nothing.analysis.root_cause_finding_id]).toEqual(['inconclusive', null]);
});

test('two runs that saw the same have the same digest, whatever ids they gave', () => {
  const digestOf = (...findings: ReturnType<typeof finding>[]) =>
    recordVerdict(verdictOf(findings), minting(), more).digest.toString('hex');
  const other = finding({ evidence: [evidence({ ref: 'y' })] });
  expect(digestOf(finding(), other)).toBe(digestOf(other, finding()));
  expect(digestOf(finding())).not.toBe(digestOf(finding({ evidence: [evidence({ stats: { median: 2 } })] })));
});
