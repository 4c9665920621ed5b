import { expect, test } from 'vitest';
import { isAlone } from './alone.ts';
import { passedOnTo } from './passed-on.ts';
import { rankHosts } from './rank-hosts.ts';
import { fleetFacts, type Shape, wobble } from './testing/fleet-facts.ts';

/** A level with a hundredth of noise, to which so much is added once the trouble is on. */
const rising =
  (seed: number, level: number, size: number): Shape =>
  (minute) =>
    level + 0.01 * level * wobble(seed, minute) + (minute < 25 ? 0 : size * (1 + 0.3 * Math.sin(minute / 2)));

/** Latency of the alerting host rises by 300 ms, that of `asked` by 90, and that of `fast`, which is far by its own range too, by 5. */
const fleetOf = (metric: string, asked: Readonly<Record<string, Shape>>) =>
  fleetFacts({
    metric,
    own: rising(40, 100, 300),
    peers: [
      { host: 'asked', metrics: asked },
      { host: 'fast', metrics: { [metric]: rising(53, 1, 5) } },
      { host: 'calm', metrics: { [metric]: rising(54, 30, 0) } },
    ],
  });
const rankingOf = (facts: ReturnType<typeof fleetOf>) =>
  rankHosts(facts) as NonNullable<ReturnType<typeof rankHosts>>;
const hostOf = (facts: ReturnType<typeof fleetOf>, host: string) =>
  rankingOf(facts).hosts.find((each) => each.host === host) as ReturnType<typeof rankingOf>['hosts'][number];

test('a host whose latency rose by far less than that of the alerting host is not suspected for going with it', () => {
  const facts = fleetOf('latency_ms', { latency_ms: rising(50, 20, 90) });
  const passedOn = passedOnTo(rankingOf(facts).symptom);
  expect(passedOn(hostOf(facts, 'asked').same)).toBe(1);
  expect(passedOn(hostOf(facts, 'fast').same)).toBeLessThan(0.1);
  expect(hostOf(facts, 'asked').score).toBeGreaterThan(0.5);
  expect(hostOf(facts, 'fast').best.together).toBeGreaterThan(0.8);
  expect(hostOf(facts, 'fast').score).toBeLessThan(0.1);
  expect(isAlone(facts)).toBe(false);
});

test('what goes with latency on a host whose own latency stayed counts by its resources alone', () => {
  const asked = (metrics: Readonly<Record<string, Shape>>) =>
    hostOf(fleetOf('latency_ms', { latency_ms: rising(50, 20, 0.5), ...metrics }), 'asked');
  const received = { received_bytes: rising(51, 1_000, 900) };
  expect(asked(received).likeness).toBeLessThan(0.1);
  const busy = asked({ ...received, cpu_percent: rising(52, 20, 60) });
  expect(busy.score).toBeGreaterThan(0.5);
});

test('a symptom that rose enough on no other host to be passed on is one of the alerting host alone', () => {
  expect(isAlone(fleetOf('latency_ms', { latency_ms: rising(50, 20, 4) }))).toBe(true);
  expect(isAlone(fleetOf('latency_ms', { cpu_percent: rising(50, 20, 4) }))).toBe(true);
});

test('hosts do not pass on processors or a queue, so that a small rise of another host says nothing', () => {
  for (const metric of ['cpu_percent', 'queue_length']) {
    const facts = fleetOf(metric, { [metric]: rising(50, 20, 4) });
    expect(passedOnTo(rankingOf(facts).symptom)(hostOf(facts, 'fast').same)).toBe(1);
    expect(isAlone(facts)).toBe(false);
  }
});
