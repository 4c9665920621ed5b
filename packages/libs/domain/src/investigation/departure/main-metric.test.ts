import { describe, expect, it } from 'vitest';
import { ownMetrics } from '../detectors/own-metrics.ts';
import { fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { hostFacts, minutely } from '../testing/host-facts.ts';
import { reasonOf } from './reason.ts';

/** A metric that lies at `usual`, give or take `noise`, and at `high` for the last ten of forty minutes. */
const shape =
  (usual: number, noise: number, high: number, seed: number): Shape =>
  (minute) =>
    (minute >= 30 ? high : usual) + noise * wobble(seed, minute);

const steady = { memory: shape(343, 0.3, 750, 1), idle: shape(1.3, 0.4, 99, 2) };

function suspectedBy(metrics: Readonly<Record<string, Shape>>): string | null | undefined {
  const own = shape(20, 1, 60, 3);
  const facts = fleetFacts({ metric: 'latency_ms', own, peers: [{ host: 'db', metrics }] });
  return reasonOf('svc_db', facts)?.metric;
}

function ownResources(metrics: Readonly<Record<string, Shape>>): [string | null, number][] {
  const known = Object.entries(metrics).map(([name, of]) => minutely(name, 180, (ago) => of(39 - ago)));
  const latency = minutely('latency_ms', 180, (ago) => shape(20, 1, 60, 3)(39 - ago));
  return ownMetrics
    .detect(hostFacts({ metric: 'latency_ms', metrics: [latency, ...known] }))
    .filter(({ detector }) => detector === 'own-metrics')
    .map(({ metric, score }) => [metric, score]);
}

describe('of the resources by which a host left its history', () => {
  const both = { cpu: steady.idle, mem: steady.memory };

  it('memory that never moves and doubles comes before processors that were idle', () => {
    expect(suspectedBy(both)).toBe('mem');
    expect(ownResources(both).map(([metric]) => metric)).toEqual(['mem', 'cpu']);
  });

  it('the first has the score of the one that went furthest, whichever that is', () => {
    const [first, second] = ownResources(both);
    const [alone] = ownResources({ cpu: steady.idle });
    expect(first?.[1]).toBeCloseTo(alone?.[1] ?? 0, 9);
    expect(second?.[1]).toBeLessThan(first?.[1] ?? 0);
  });

  it('processors come first where memory that swings rises beside them', () => {
    const swinging = { cpu: steady.idle, mem: shape(343, 60, 750, 4) };
    expect(suspectedBy(swinging)).toBe('cpu');
    expect(ownResources(swinging)[0]?.[0]).toBe('cpu');
  });

  it('one that counts less than half stays behind, however steady it was', () => {
    const hardly = { cpu: steady.idle, mem: shape(343, 0.001, 380, 5) };
    expect(suspectedBy(hardly)).toBe('cpu');
    expect(ownResources(hardly).map(([metric]) => metric)).toEqual(['cpu', 'mem']);
  });
});
