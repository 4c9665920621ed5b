import { expect, test } from 'vitest';
import type { FindingDraft } from '../finding.ts';
import { fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { improbableByDistance } from './improbable.ts';

const calm =
  (seed: number): Shape =>
  (minute) =>
    20 + wobble(seed, minute);
/** Hardly ever moves, and then by a little: far by its own range, near by a tenth of its level. */
const slight: Shape = (minute) => (minute >= 25 ? 21 : 20) + 0.01 * wobble(3, minute);

const facts = fleetFacts({
  metric: 'latency_ms',
  own: calm(1),
  peers: [
    { host: 'calm', metrics: { latency_ms: calm(2) } },
    { host: 'stirred', metrics: { latency_ms: slight } },
  ],
});
const finding = (host: string, score: number, kind = 'host') =>
  ({
    serviceId: `svc_${host}`,
    host,
    score,
    title: `${host} ${score}`,
    subject: { kind, name: host },
  }) as FindingDraft;
const orderOf = (findings: readonly FindingDraft[]) =>
  improbableByDistance(findings, facts).map(({ host, score }) => [host, score]);

test('hosts that are improbable as causes are ordered by how far they went by their own ranges', () => {
  const found = [finding('calm', 0.004), finding('own', 0.003), finding('stirred', 0.0001)];
  const ordered = orderOf(found);
  expect(ordered[0]).toEqual(['stirred', 0.004]);
  expect(ordered.map(([, score]) => score)).toEqual([0.004, 0.003, 0.0001]);
});

test('what is probable stays first, and what is about a process or a tag before improbable hosts', () => {
  const found = [
    finding('calm', 0.02),
    finding('calm', 0.009),
    finding('own', 0.005, 'process'),
    finding('stirred', 0.001),
  ];
  expect(orderOf(found).map(([host]) => host)).toEqual(['calm', 'own', 'stirred', 'calm']);
});

test('findings of one host keep their order', () => {
  const found = [finding('stirred', 0.004), finding('stirred', 0.002), finding('stirred', 0.001)];
  expect(improbableByDistance(found, facts)).toEqual(found);
});

test('the alerting host comes before improbable hosts where its latency rose and that of no other host did', () => {
  const alone = fleetFacts({
    metric: 'latency_ms',
    own: (minute) => calm(1)(minute) + (minute < 25 ? 0 : 60),
    peers: [{ host: 'stirred', metrics: { latency_ms: slight } }],
  });
  const found = [finding('stirred', 0.004), finding('own', 0.0001)];
  expect(improbableByDistance(found, alone).map(({ host }) => host)).toEqual(['own', 'stirred']);
});
