import { expect, test } from 'vitest';
import type { FindingDraft } from '../finding.ts';
import { DETECTORS } from '../investigate.ts';
import { conclude } from '../verdict/conclude.ts';
import { FLEET_DETECTORS } from './fleet-detectors.ts';
import { comparedFrom } from './symptom.ts';
import { fleetFacts, type Shape, wobble } from './testing/fleet-facts.ts';

const calm =
  (seed: number): Shape =>
  (minute) =>
    20 + wobble(seed, minute);
const trouble = (minute: number) => (minute < 25 ? 0 : 1 + 0.3 * Math.sin(minute / 2));
const suffers =
  (seed: number, size: number, noise: number): Shape =>
  (minute) =>
    20 + wobble(seed, minute) + trouble(minute) * size * (1 + noise * wobble(seed + 7, minute));

const calmPeers = Array.from({ length: 12 }, (_, i) => ({
  host: `calm-${i}`,
  tags: { role: 'web' },
  metrics: { latency_ms: calm(i + 1) },
}));
const detect = (facts: Parameters<(typeof FLEET_DETECTORS)[number]['detect']>[0]) =>
  FLEET_DETECTORS.flatMap((detector) => detector.detect(facts));
const by = (drafts: readonly FindingDraft[], detector: string) =>
  drafts.filter((draft) => draft.detector === detector);

test('an isolated fault makes no host a suspect, and lists all others as not affected', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: suffers(40, 60, 0.1),
    tags: { role: 'web' },
    peers: calmPeers,
  });
  const drafts = detect(facts);
  expect(by(drafts, 'suspect-hosts')).toEqual([]);
  expect(by(drafts, 'shared-tag')).toEqual([]);
  const [peers] = by(drafts, 'peer-hosts');
  expect(peers?.unaffectedHosts).toHaveLength(12);
  expect(peers?.title).toBe('Only own is affected: none of 12 other hosts moved with its latency_ms');
  expect(peers?.description).toContain('Of 12 with the same tags, 0 moved.');
});

test('of hosts that a fault passes through, the one most similar to the symptom is suspected before the one that moved most', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: suffers(40, 30, 0.1),
    peers: [
      ...calmPeers,
      { host: 'cause', metrics: { latency_ms: suffers(50, 40, 0.05) } },
      { host: 'client', metrics: { latency_ms: suffers(51, 90, 0.9) } },
    ],
  });
  const drafts = detect(facts);
  const suspects = by(drafts, 'suspect-hosts');
  expect(suspects.map(({ host }) => host)).toEqual(['cause', 'client']);
  expect(suspects[0]).toMatchObject({
    kind: 'metric_shift',
    metric: 'latency_ms',
    subject: { kind: 'host', name: 'cause' },
  });
  expect(suspects[0]?.startedAt).toBe(facts.from + 25 * 60_000);
  const listed = by(drafts, 'peer-hosts')[0];
  expect(listed?.hosts.map(({ host }) => host)).toEqual(['cause', 'client']);
  expect(listed?.unaffectedHosts).toHaveLength(12);
});

test('hosts that cannot be distinguished are listed with each of them, those that differ by more are not', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: suffers(40, 30, 0.1),
    peers: [
      ...calmPeers,
      { host: 'one', metrics: { latency_ms: suffers(50, 40, 0.4) } },
      { host: 'two', metrics: { latency_ms: suffers(53, 40, 0.4) } },
      { host: 'client', metrics: { latency_ms: suffers(51, 90, 0.9) } },
    ],
  });
  const suspects = by(detect(facts), 'suspect-hosts');
  const tied = suspects.filter(({ host }) => host !== 'client');
  expect(tied).toHaveLength(2);
  for (const { hosts, description, host } of tied) {
    expect(hosts.map((each) => each.host).toSorted()).toEqual(['one', 'two']);
    expect(description).toContain(`cannot be distinguished from ${host === 'one' ? 'two' : 'one'},`);
  }
  const [client] = suspects.filter(({ host }) => host === 'client');
  expect(client).toMatchObject({ hosts: [], description: expect.not.stringContaining('distinguished') });
});

test('among hosts that suffer alike, the one whose own resource explains it is the cause', () => {
  const victims = Array.from({ length: 8 }, (_, i) => ({
    host: `web-${i}`,
    metrics: { latency_ms: suffers(60 + i, 30 + 8 * i, 0.1) },
  }));
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: suffers(40, 50, 0.1),
    peers: [
      ...victims,
      ...calmPeers.slice(0, 3),
      {
        host: 'database',
        metrics: { latency_ms: suffers(50, 15, 0.1), disk_util_percent: suffers(51, 40, 0.05) },
      },
    ],
  });
  const [first] = by(detect(facts), 'suspect-hosts');
  expect(first).toMatchObject({
    host: 'database',
    kind: 'correlated_metric',
    metric: 'disk_util_percent',
  });
});

test('a fault of two minutes: the host whose disk and processors are busy comes before those that are slow with it', () => {
  const late =
    (seed: number, usual: number, more: number): Shape =>
    (minute) =>
      usual + wobble(seed, minute) + (minute >= 38 ? more * (1 + 0.05 * wobble(seed + 3, minute)) : 0);
  const victims = Array.from({ length: 5 }, (_, i) => ({
    host: `web-${i}`,
    metrics: { latency_ms: late(60 + i, 20, 40 + 10 * i), queue_length: late(80 + i, 5, 12) },
  }));
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: late(40, 20, 60),
    peers: [
      ...victims,
      ...calmPeers.slice(0, 3),
      {
        host: 'database',
        metrics: {
          latency_ms: late(50, 20, 25),
          disk_io_wait_percent: late(51, 2, 20),
          cpu_percent: late(52, 20, 45),
        },
      },
    ],
  });
  const suspects = by(detect(facts), 'suspect-hosts');
  expect(suspects[0]?.host).toBe('database');
  expect(suspects[0]?.score).toBeGreaterThan(2 * (suspects[1]?.score ?? 0));
});

test('trouble that is older than the window is compared with what was before it', () => {
  const old =
    (seed: number, size: number): Shape =>
    (minute) =>
      20 + wobble(seed, minute) + (minute >= -20 ? size * (1 + 0.1 * wobble(seed + 7, minute)) : 0);
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: old(40, 60),
    peers: [...calmPeers, { host: 'cause', metrics: { latency_ms: old(50, 40) } }],
  });
  expect(comparedFrom(facts, 60_000)).toBe(facts.from - 50 * 60_000);
  expect(by(detect(facts), 'suspect-hosts').map(({ host }) => host)).toEqual(['cause']);
});

test('a healthy host with a low threshold makes no other host a suspect; those that moved are listed as effects', () => {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: calm(40),
    peers: [...calmPeers, { host: 'busy', metrics: { latency_ms: suffers(50, 40, 0.05) } }],
  });
  const found = detect(facts);
  expect(found.map(({ host, detector }) => [host, detector])).toEqual([['busy', 'host-effects']]);
  expect(found[0]?.score).toBeLessThan(0.05);
  expect(conclude(facts, found)).toMatchObject({ rootCause: null, findings: [{ possibleCause: false }] });
});

test('trouble that is older than all that is known lists hosts by likeness, as leads that are never named', () => {
  const waves =
    (seed: number, size: number, noise: number): Shape =>
    (minute) =>
      20 + size * (1 + 0.6 * Math.sin(minute / 3)) + noise * wobble(seed, minute);
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: waves(40, 60, 4),
    peers: [
      ...calmPeers,
      { host: 'cause', metrics: { latency_ms: waves(50, 40, 1) } },
      { host: 'client', metrics: { latency_ms: waves(51, 90, 60) } },
    ],
  });
  const found = by(detect(facts), 'alike-hosts');
  expect(found.map(({ host }) => host)).toEqual(['cause', 'client']);
  expect(found[0]?.score).toBeGreaterThan(0.9);
  const verdict = conclude(facts, detect(facts));
  expect(verdict).toMatchObject({ rootCause: null });
  expect(verdict.findings[0]).toMatchObject({ host: 'cause', possibleCause: false });
});

test('a host without peers has no findings about the fleet', () => {
  expect(detect(fleetFacts({ metric: 'latency_ms', own: suffers(40, 60, 0.1), peers: [] }))).toEqual([]);
});

test('every finding about the fleet has evidence and bounds, and shows host names on one short line', () => {
  const hostile = `evil\n${'x'.repeat(300)}`;
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: suffers(40, 30, 0.1),
    peers: [...calmPeers, { host: hostile, metrics: { latency_ms: suffers(50, 40, 0.05) } }],
  });
  const drafts = detect(facts);
  expect(by(drafts, 'suspect-hosts')).toHaveLength(1);
  for (const { evidence, score, title, description } of drafts) {
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.every(({ points, ref }) => points.length <= 240 && ref !== '')).toBe(true);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(0.98);
    expect(`${title}${description}`).not.toMatch(/\n|x{100}/);
  }
});

test.each([
  ['latency_ms', 'root_cause_found'],
  ['client_latency_ms', 'inconclusive'],
])('a host whose %s moved together with the symptom ends the investigation as %s', (metric, conclusion) => {
  const facts = fleetFacts({
    metric,
    own: suffers(40, 60, 0.1),
    peers: [
      ...calmPeers.map((peer) => ({ ...peer, metrics: { [metric]: peer.metrics.latency_ms } })),
      { host: 'web-9', metrics: { [metric]: suffers(50, 40, 0.05) } },
    ],
  });
  const verdict = conclude(
    facts,
    DETECTORS.flatMap((detector) => detector.detect(facts)),
  );
  expect(verdict.findings[0]).toMatchObject({
    host: 'web-9',
    metric,
    possibleCause: metric === 'latency_ms',
  });
  expect(verdict.conclusion).toBe(conclusion);
});
