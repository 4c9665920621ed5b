import { expect, it } from 'vitest';
import { aboutHost } from '../draft.ts';
import type { FindingDraft } from '../finding.ts';
import { DETECTORS } from '../investigate.ts';
import { hostFacts } from '../testing/host-facts.ts';
import { type Calibration, CALIBRATION as FITTED } from './calibration.ts';
import { movementOf, rank as rankingOf } from './rank.ts';

const LIKE = { offset: 0, slope: 1 };
/** Equal weights for all detectors, so that a new fit does not change what these tests expect. */
const CALIBRATION: Calibration = {
  detectors: {},
  others: LIKE,
  support: 0.5,
  none: { base: 0, unmoved: 3 },
};

const rank = (...given: Parameters<typeof rankingOf>) => rankingOf(...given).findings;
const facts = hostFacts();
const finding = (detector: string, score: number, given: Partial<FindingDraft> = {}) =>
  aboutHost(facts, {
    kind: 'process',
    detector,
    title: `${detector} ${score}`,
    description: '',
    score,
    subject: { kind: 'process', name: detector },
    evidence: [],
    ...given,
  });

it('scores are probabilities: those of all possible causes sum to less than one', () => {
  const ranked = rank(
    [
      finding('processes', 0.99),
      finding('containers', 0.98),
      finding('restarts', 0.5),
      finding('unknown-kind', 0.9),
    ],
    1,
    CALIBRATION,
  );
  const total = ranked.reduce((sum, { score }) => sum + score, 0);
  expect(total).toBeLessThanOrEqual(1.001);
  expect(ranked.map(({ score }) => score)).toEqual(
    ranked.map(({ score }) => score).toSorted((a, b) => b - a),
  );
});

it('the probability of none of the candidates completes theirs', () => {
  const { findings, none } = rankingOf(
    [finding('processes', 0.9), finding('containers', 0.6)],
    1,
    CALIBRATION,
  );
  expect(findings.reduce((sum, { score }) => sum + score, none)).toBeCloseTo(1, 3);
  expect(rankingOf([], 1, CALIBRATION).none).toBe(1);
});

it('a finding counts for less where the symptom did not move', () => {
  const [moved] = rank([finding('processes', 0.8)], 1, CALIBRATION);
  const [still] = rank([finding('processes', 0.8)], 0, CALIBRATION);
  expect(moved?.score).toBeGreaterThan((still?.score ?? 1) + 0.05);
});

it('two detectors that found the same cause raise its score, and their findings are listed one after the other', () => {
  const own = { subject: { kind: 'container', name: 'api' } as const, kind: 'container' as const };
  const alone = rank([finding('containers', 0.5, own)], 1, CALIBRATION);
  const both = rank(
    [finding('containers', 0.5, own), finding('restarts', 0.5, { ...own, kind: 'restart' })],
    1,
    CALIBRATION,
  );
  expect(both[0]?.score).toBeGreaterThan(alone[0]?.score ?? 1);
  expect(both[1]?.score).toBeLessThan(both[0]?.score ?? 0);
});

it('findings that cannot be causes do not lower the scores of those that can', () => {
  const aside = finding('recurrence', 0.9, { kind: 'recurrence' });
  const gap = finding('data-gaps', 0.5, { kind: 'data_gap' });
  const peers = finding('peer-hosts', 0.05, {
    kind: 'peer_hosts',
    subject: { kind: 'host', name: 'web-01' },
  });
  const ranked = rank([aside, gap, peers, finding('processes', 0.9)], 1, CALIBRATION);
  expect(ranked[0]).toMatchObject({
    detector: 'processes',
    score: rank([finding('processes', 0.9)], 1, CALIBRATION)[0]?.score,
  });
  expect(ranked.slice(1).every(({ score }) => score <= 0.1)).toBe(true);
});

it('improbable findings stay in the order of their scores', () => {
  const metric = (name: string, score: number) =>
    finding('host-metrics', score, {
      kind: 'correlated_metric',
      title: name,
      metric: name,
      subject: { kind: 'host', name: 'web-01' },
    });
  const ranked = rank([metric('a', 2e-4), metric('b', 5e-4), metric('c', 8e-4)], 0, {
    ...CALIBRATION,
    none: { base: 9, unmoved: 9 },
  });
  expect(ranked.map((each) => [each.metric, each.score])).toEqual([
    ['c', 0],
    ['b', 0],
    ['a', 0],
  ]);
});

it('the order of the drafts makes no difference', () => {
  const drafts = [
    finding('processes', 0.6),
    finding('containers', 0.6),
    finding('saturation', 0.3),
    finding('changes', 0.3),
  ];
  expect(rank(drafts.toReversed(), 0.8, CALIBRATION)).toEqual(rank(drafts, 0.8, CALIBRATION));
});

it('only the symptom and what left its own history show that anything happened', () => {
  expect(movementOf([finding('alerting-metric', 0.7), finding('own-metrics', 0.2)])).toBe(0.7);
  expect(movementOf([finding('alerting-metric', 0), finding('suspect-hosts', 0.8)])).toBe(0.8);
  expect(movementOf([finding('processes', 0.7)])).toBe(0);
  expect(movementOf([])).toBe(0);
});

it('every detector that may name a cause has weights, and stronger findings count for more', () => {
  const aside = ['data-gaps', 'recurrence', 'peer-hosts'];
  const names = DETECTORS.map(({ name }) => name).filter((name) => !aside.includes(name));
  expect(Object.keys(FITTED.detectors).toSorted()).toEqual(
    [...names, 'own-effects', 'host-effects', 'host-metrics', 'alike-hosts'].toSorted(),
  );
  for (const { slope } of Object.values(FITTED.detectors)) expect(slope).toBeGreaterThan(0);
  expect(FITTED.none.unmoved).toBeGreaterThan(0);
});
