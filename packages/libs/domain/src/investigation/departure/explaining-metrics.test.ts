import { describe, expect, it } from 'vitest';
import { blameOf } from '../fleet/blame.ts';
import { fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { explainingMetrics } from './explaining-metrics.ts';

/** A metric that lies at `usual`, give or take a fortieth of it, and at `high` for the last ten of forty minutes. */
const step =
  (usual: number, high: number, seed: number): Shape =>
  (minute) =>
    (minute >= 30 ? high : usual) + (usual / 40) * wobble(seed, minute);

/** A metric that goes along with the trouble, unevenly. */
const along =
  (usual: number, high: number, seed: number): Shape =>
  (minute) =>
    (minute >= 30 ? high * (1 + 0.5 * wobble(seed + 20, minute)) : usual) +
    (usual / 40) * wobble(seed, minute);

/** Names say nothing: m1 alerts and travels, m2 goes with it, and the third is used up on one host. */
const caller = (seed: number) => ({ m1: along(20, 80, seed), m2: along(10, 41, seed + 1) });
const fleet = (cause: string, usedUp: Shape, others: Readonly<Record<string, Shape>> = {}) =>
  fleetFacts({
    metric: 'm1',
    own: step(20, 80, 1),
    peers: [
      { host: 'caller', metrics: caller(2) },
      { host: 'db', metrics: { ...caller(4), [cause]: usedUp } },
      { host: 'other', metrics: { ...caller(6), ...others } },
    ],
  });

/** What explains trouble, by host and metric, with its score. */
const explaining = (facts: ReturnType<typeof fleet>) =>
  Object.fromEntries(
    [...explainingMetrics(facts)].map(([host, all]) => [
      host,
      Object.fromEntries(all.map(({ metric, score }) => [metric, score])),
    ]),
  );

/** The suspected hosts, best first, with the metric by which they are, and whether that is for its history. */
const suspects = (facts: ReturnType<typeof fleet>) =>
  blameOf(facts)?.suspects.map(({ host, shown, isShownByHistory }) => [
    host,
    shown.facts.metric,
    isShownByHistory,
  ]) ?? [];

describe('where no metric of a fleet is known to be a resource', () => {
  it('a metric of unknown class explains trouble in either direction, the one that alerted does not', () => {
    const risen = explaining(fleet('pool_borrowed', step(20, 300, 9)));
    const fallen = explaining(fleet('pool_borrowed', step(300, 20, 9)));
    expect(risen['svc_db']?.['pool_borrowed']).toBeGreaterThan(0.7);
    expect(fallen['svc_db']?.['pool_borrowed']).toBeGreaterThan(0.7);
    expect(Object.keys(risen['svc_db'] ?? {})).toEqual(['m2', 'pool_borrowed']);
  });

  it('one that left its history alike on several hosts explains little', () => {
    const found = explaining(fleet('m3', step(20, 300, 9), { m3: step(20, 300, 11) }));
    expect(found['svc_db']?.['m3']).toBeLessThan(0.3);
    expect(found['svc_db']?.['m2']).toBeLessThan(0.3);
  });

  it('the host with the metric that is alone comes before all that are like the symptom', () => {
    expect(suspects(fleet('m3', along(20, 2_000, 9)))[0]).toEqual(['db', 'm3', true]);
  });

  it('likeness decides where no metric is alone', () => {
    const all = suspects(fleet('m2', along(10, 41, 5)));
    expect(all.map(([, , isShownByHistory]) => isShownByHistory)).toEqual([false, false, false]);
  });
});

describe('where one metric of a fleet is known to be a resource', () => {
  it('metrics of unknown class that left their history much further explain what it leaves', () => {
    const facts = fleet('m3', along(20, 2_000, 9), { cpu_percent: step(20, 20, 12) });
    expect(explaining(facts)['svc_db']?.['m3']).toBeGreaterThan(0.7);
    expect(suspects(facts)[0]).toEqual(['db', 'm3', true]);
  });

  it('it comes before metrics of unknown class where it explains trouble', () => {
    const facts = fleet('m3', step(20, 2_000, 9), { cpu_percent: step(10, 95, 12) });
    expect(explaining(facts)['svc_db']?.['m3']).toBeLessThan(0.4);
    expect(suspects(facts)[0]?.slice(0, 2)).toEqual(['other', 'cpu_percent']);
  });

  it('a host is shown by it where that explains more than a metric of unknown class does', () => {
    const facts = fleet('cpu_percent', step(20, 90, 9));
    expect(suspects(facts)[0]?.slice(0, 2)).toEqual(['db', 'cpu_percent']);
  });
});

describe('a metric of unknown class that is the symptom again', () => {
  const size = (minute: number) => (minute < 25 ? 0 : 60 * (1 + 0.3 * Math.sin(minute)));
  const shape =
    (usual: number, share: number, seed: number): Shape =>
    (minute) =>
      usual + (usual / 40) * wobble(seed, minute) + share * size(minute);
  const scoreOf = (metric: Shape) =>
    explaining(
      fleetFacts({ metric: 'm1', own: shape(20, 1, 1), peers: [{ host: 'db', metrics: { m2: metric } }] }),
    )['svc_db']?.['m2'] ?? 0;

  it('explains little, as another percentile of a latency', () => {
    expect(scoreOf(shape(5, 0.8, 2))).toBeLessThan(0.2);
  });

  it('explains trouble where it went by far more or far less in number, or the other way', () => {
    expect(scoreOf(shape(50, 12, 2))).toBeGreaterThan(0.7);
    expect(scoreOf(shape(0.1, 0.01, 2))).toBeGreaterThan(0.5);
    expect(scoreOf(shape(200, -1.5, 2))).toBeGreaterThan(0.3);
  });
});
