import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { hostFacts, minutely, NOON, noise } from '../testing/host-facts.ts';
import { ownDeparture } from './departed-metrics.ts';
import { comparedSince, peersFromOf, troubleBegin } from './trouble-begin.ts';

/** The facts of a host whose latency became slow so many minutes ago, of which so many are known. */
function slowSince(ago: number, known = 200) {
  const slow = minutely('latency_ms', known, (at) => (at < ago ? 80 : 20) + noise(at));
  const samples = (from: number) => {
    const first = slow.history.times.findIndex((time) => time >= from);
    const end = slow.history.times.findIndex((time) => time >= NOON - 40 * MINUTE_MS);
    return {
      times: slow.history.times.subarray(first, end),
      values: slow.history.values.subarray(first, end),
    };
  };
  const peersFrom = NOON - 160 * MINUTE_MS;
  return hostFacts({
    metric: 'latency_ms',
    metrics: [{ ...slow, before: samples(peersFrom) }],
    historyFrom: NOON - known * MINUTE_MS,
    peersFrom,
    intervalMs: 30_000,
  });
}

it('other hosts are read from half an hour before the trouble, six hours before the window at most', () => {
  expect(peersFromOf(slowSince(20))).toBe(NOON - 160 * MINUTE_MS);
  expect(peersFromOf(slowSince(100))).toBe(NOON - 160 * MINUTE_MS);
  const old = slowSince(140);
  expect(Math.abs(troubleBegin(old) - (NOON - 140 * MINUTE_MS))).toBeLessThanOrEqual(3 * MINUTE_MS);
  expect(peersFromOf(old)).toBe(Math.floor((troubleBegin(old) - 30 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS);
  expect(peersFromOf(slowSince(160, 180))).toBe(NOON - 180 * MINUTE_MS);
  expect(peersFromOf(slowSince(600, 1_200))).toBe(NOON - 40 * MINUTE_MS - 6 * HOUR_MS);
});

it('what is usual of other hosts ends with the trouble, and not after the earliest time by the alert', () => {
  expect(comparedSince(slowSince(20))).toBeLessThanOrEqual(NOON - 20 * MINUTE_MS);
  const old = slowSince(140);
  expect(comparedSince({ ...old, peersFrom: peersFromOf(old) })).toBe(troubleBegin(old));
  expect(comparedSince(old)).toBe(NOON - 130 * MINUTE_MS);
});

it("a host's own metric left its history where its samples began amid the trouble", () => {
  const old = slowSince(140);
  const [metric] = old.metrics;
  expect(metric?.before.times[0]).toBeLessThan(troubleBegin(old));
  const samples = {
    ...metric,
    before: { times: new Float64Array([NOON - 50 * MINUTE_MS]), values: new Float64Array([80]) },
  };
  const departure = ownDeparture(samples as NonNullable<typeof metric>, old);
  expect(departure?.high).toBeLessThan(25);
  expect(departure?.worse).toBeGreaterThan(3);
});

it('the trouble of a host that is known for three minutes may have begun a minute before its alert', () => {
  const begin = (everyMs: number) => {
    const count = (4 * MINUTE_MS) / everyMs;
    const times = Float64Array.from({ length: count }, (_, i) => NOON - 4 * MINUTE_MS + i * everyMs);
    const samples = { times, values: times.map((_, i) => 20 + noise(i)) };
    const latency = { ...minutely('latency_ms', 4, () => 20), history: samples, recent: samples };
    const facts = hostFacts({ metric: 'latency_ms', metrics: [latency], intervalMs: everyMs });
    const pendingSince = NOON - MINUTE_MS;
    const from = pendingSince - 90_000;
    return troubleBegin({ ...facts, from, alert: facts.alert && { ...facts.alert, pendingSince } });
  };
  expect(begin(1_000)).toBe(NOON - 2 * MINUTE_MS);
  expect(begin(5_000)).toBe(NOON - 2 * MINUTE_MS);
  expect(begin(15_000)).toBeGreaterThan(NOON - 2 * MINUTE_MS);
});

it('the minute in which the trouble began does not widen the usual range', () => {
  const minutes = minutely('latency_ms', 40, (at) => (at < 10 ? 80 : 20) + noise(at));
  const begin = minutes.history.times.findIndex((time) => time >= NOON - 11 * MINUTE_MS);
  const mixed = minutes.history.values.map((value, i) => (i === begin ? 60 : value));
  const every = Float64Array.from({ length: 240 }, (_, i) => NOON - 40 * MINUTE_MS + i * 10_000);
  const samples = {
    times: every,
    values: every.map((time, i) => (time >= NOON - 630_000 ? 80 : 20) + noise(i)),
  };
  const until = every.findIndex((time) => time >= NOON - 20 * MINUTE_MS);
  const facts = hostFacts({
    metric: 'latency_ms',
    from: NOON - 20 * MINUTE_MS,
    intervalMs: 10_000,
    metrics: [
      {
        ...minutes,
        history: { times: minutes.history.times, values: mixed },
        before: { times: every.subarray(0, until), values: samples.values.subarray(0, until) },
        recent: { times: every.subarray(until), values: samples.values.subarray(until) },
      },
    ],
  });
  expect(ownDeparture(facts.metrics[0] as typeof minutes, facts)?.high).toBeLessThan(25);
});
