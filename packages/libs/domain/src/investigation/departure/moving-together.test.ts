import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { minutely, NOON, noise } from '../testing/host-facts.ts';
import { movingTogether } from './moving-together.ts';

const WINDOW = { from: NOON - 40 * MINUTE_MS, to: NOON, intervalMs: MINUTE_MS };
const jump = (name: string, size: number, seed: number) =>
  minutely(name, 180, (ago) => (ago < 15 ? size : 0) + noise(ago, seed));

it('counts the metrics that move together with each, itself included, in either direction', () => {
  const counts = movingTogether(
    [jump('queue', 500, 1), jump('sockets', 90, 2), jump('free', -900, 3), jump('calm', 0, 4)],
    WINDOW,
  );
  for (const count of counts.subarray(0, 3)) expect(count).toBeCloseTo(3, 1);
  expect(counts[3]).toBeLessThan(1.3);
});

it('counts a metric by itself where none moves, or too few values are known', () => {
  const still = ['a', 'b'].map((name) => minutely(name, 180, () => 7));
  expect([...movingTogether(still, WINDOW)]).toEqual([1, 1]);
  const short = { ...WINDOW, from: NOON - 4 * MINUTE_MS };
  const few = [jump('queue', 500, 1), jump('sockets', 90, 2)].map((each) => ({
    ...each,
    recent: { times: each.recent.times.slice(-4), values: each.recent.values.slice(-4) },
  }));
  expect([...movingTogether(few, short)]).toEqual([1, 1]);
});

it('finds metrics that are reported at other times within a minute', () => {
  const later = jump('sockets', 90, 2);
  const moved = {
    ...later,
    recent: { ...later.recent, times: later.recent.times.map((time) => time + 20_000) },
  };
  expect(movingTogether([jump('queue', 500, 1), moved], WINDOW)[0]).toBeCloseTo(2, 1);
});
