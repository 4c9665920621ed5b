import { expect, test } from 'vitest';
import type { PeerMetricFacts } from '../facts.ts';
import { rankHosts } from './rank-hosts.ts';
import { reachBeside } from './reach.ts';
import { fleetFacts, type Shape, wobble } from './testing/fleet-facts.ts';

/** Latency of 100 ms, to which so much is added once the trouble is on. */
const risesBy =
  (seed: number, size: number): Shape =>
  (minute) =>
    100 + wobble(seed, minute) + (minute < 25 ? 0 : size * (1 + 0.3 * Math.sin(minute / 2)));

test('a host that hardly left its history is less suspect than one that went as far as the symptom, however alike both are', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: risesBy(40, 300),
    peers: [
      { host: 'stirred', metrics: { latency_ms: risesBy(50, 7) } },
      { host: 'moved', metrics: { latency_ms: risesBy(53, 200) } },
      { host: 'calm', metrics: { latency_ms: risesBy(54, 0) } },
    ],
  });
  const ranking = rankHosts(facts);
  const reach = reachBeside((ranking as NonNullable<typeof ranking>).symptom, facts);
  const metricOf = (host: string) =>
    facts.peers.find((peer) => peer.host === host)?.metrics[0] as PeerMetricFacts;
  expect(reach(metricOf('moved'))).toBe(1);
  expect(reach(metricOf('calm'))).toBeLessThan(0.05);
  expect(reach(metricOf('stirred'))).toBeLessThan(0.5);
  const scoreOf = (host: string) => ranking?.hosts.find((each) => each.host === host)?.score ?? 0;
  expect(scoreOf('moved')).toBeGreaterThan(0.5);
  expect(scoreOf('stirred')).toBeLessThan(0.5 * scoreOf('moved'));
});

test('beside a symptom that hardly left its history, every host counts by its likeness alone', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: risesBy(40, 5),
    peers: [{ host: 'stirred', metrics: { latency_ms: risesBy(50, 1) } }],
  });
  const symptom = rankHosts(facts)?.symptom as NonNullable<ReturnType<typeof rankHosts>>['symptom'];
  expect(reachBeside(symptom, facts)(facts.peers[0]?.metrics[0] as PeerMetricFacts)).toBe(1);
});
