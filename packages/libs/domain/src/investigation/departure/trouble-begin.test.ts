import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { hostFacts, minutely, NOON, noise } from '../testing/host-facts.ts';
import { ownDeparture } from './reason.ts';
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
