import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { withBoundedValues } from './bounded-values.ts';
import type { Facts } from './facts.ts';
import { fleetFacts, type Shape, wobble } from './fleet/testing/fleet-facts.ts';
import { investigate } from './investigate.ts';
import { hostFacts, minutely, snapshots, use } from './testing/host-facts.ts';

const EXTREMES = [0, 5e-324, 1e-300, 1e-100, 1e70, 1e100, 1e300, Number.MAX_VALUE];

/** A metric that rises when the trouble begins, and has an extreme value now and then. */
const shapeOf =
  (seed: number, extremes: readonly number[], every: number): Shape =>
  (minute) =>
    minute % every === 0
      ? (extremes[Math.abs(minute) % extremes.length] as number)
      : (minute < 20 ? 20 : 90) + wobble(seed, minute);

const shape = fc
  .tuple(
    fc.nat(1_000),
    fc.array(fc.constantFrom(...EXTREMES, ...EXTREMES.map((value) => -value)), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.integer({ min: 1, max: 30 }),
  )
  .map(([seed, extremes, every]) => shapeOf(seed, extremes, every));

function scoresOf(facts: Facts): number[] {
  return investigate(withBoundedValues(facts)).findings.flatMap(({ score, hosts }) => [
    score,
    ...hosts.map((host) => host.score),
  ]);
}

describe('every finding has a score from 0 to 1', () => {
  it('whatever finite values the hosts send', () => {
    fc.assert(
      fc.property(shape, fc.array(shape, { minLength: 1, maxLength: 6 }), (own, others) => {
        const peers = others.map((one, index) => ({
          host: `peer-${index}`,
          tags: { zone: 'a' },
          metrics: { cpu_percent: one, queue_length: shapeOf(index, EXTREMES, 7) },
        }));
        const facts = fleetFacts({ metric: 'cpu_percent', own, tags: { zone: 'a' }, peers });
        for (const score of scoresOf(facts)) expect(score >= 0 && score <= 1).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('where one other host sends the largest double', () => {
    const peers = Array.from({ length: 8 }, (_, index) => ({
      host: `peer-${index}`,
      tags: { zone: 'a' },
      metrics: {
        cpu_percent: shapeOf(index, index === 0 ? [Number.MAX_VALUE, -1] : [20], index === 0 ? 1 : 9),
      },
    }));
    const facts = fleetFacts({ metric: 'cpu_percent', own: shapeOf(9, [20], 9), tags: { zone: 'a' }, peers });
    const scores = scoresOf(facts);
    expect(scores.length).toBeGreaterThan(0);
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  });

  it('where a process takes the largest double', () => {
    const facts = hostFacts({
      metrics: [minutely('cpu_percent', 180, (ago) => (ago < 10 ? 95 : 22))],
      snapshots: snapshots(60, (ago) => ({
        processes: [use('stress', ago < 10 ? Number.MAX_VALUE : 1, Number.MAX_VALUE), use('node', 3)],
      })),
    });
    const scores = scoresOf(facts);
    expect(scores.length).toBeGreaterThan(0);
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  });
});

test('usual values are left as they are, and those beyond the bounds take its sign', () => {
  const values = [1.5, -3e69, 0, 1e-69, Number.MAX_VALUE, -Number.MAX_VALUE, 1e-71];
  const metric = minutely('free_bytes', values.length, (ago) => values[ago] as number);
  const [bounded] = withBoundedValues(hostFacts({ metrics: [metric] })).metrics;
  expect([...(bounded?.history.values ?? [])].reverse()).toEqual([1.5, -3e69, 0, 1e-69, 1e70, -1e70, 0]);
  const usual = minutely('free_bytes', 5, (ago) => ago);
  expect(withBoundedValues(hostFacts({ metrics: [usual] })).metrics[0]?.history).toBe(usual.history);
});
