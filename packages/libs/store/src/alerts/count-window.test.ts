import fc from 'fast-check';
import { expect, it } from 'vitest';
import { divideWindow } from './count-window.ts';

const WIDTHS = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 };
const OPEN = Number.POSITIVE_INFINITY;
const start = Date.UTC(2026, 10, 21);

it('partial minutes and whole buckets cover each time of a window exactly once', () => {
  const time = fc.oneof(
    fc.integer({ min: start, max: start + 5 * WIDTHS['1d'] }),
    fc.integer({ min: 0, max: 120 }).map((hours) => start + hours * WIDTHS['1h']),
    fc.integer({ min: 0, max: 300 }).map((minutes) => start + minutes * WIDTHS['1m']),
  );
  fc.assert(
    fc.property(time, time, fc.boolean(), fc.boolean(), (a, b, opensBefore, opensAfter) => {
      const from = opensBefore ? -OPEN : Math.min(a, b);
      const to = opensAfter ? OPEN : Math.max(a, b);
      const { whole, edges } = divideWindow({ from, to });
      const parts = [...whole, ...edges.map(({ inside }) => inside)].sort((x, y) => x.from - y.from);
      let at = from;
      for (const part of parts) {
        expect(part.from).toBe(at);
        expect(part.to).toBeGreaterThan(part.from);
        at = part.to;
      }
      expect(at).toBe(to);
      for (const { tier, from: first, to: last } of whole)
        for (const bound of [first, last]) if (Number.isFinite(bound)) expect(bound % WIDTHS[tier]).toBe(0);
      expect(edges.length).toBeLessThanOrEqual(2);
      for (const { minute, inside } of edges) {
        expect(minute % WIDTHS['1m']).toBe(0);
        expect(inside.from).toBeGreaterThanOrEqual(minute);
        expect(inside.to).toBeLessThanOrEqual(minute + WIDTHS['1m']);
      }
    }),
  );
});

it('a window of months is divided into a few hundred buckets', () => {
  const { whole, edges } = divideWindow({ from: start + 1, to: start + 400 * WIDTHS['1d'] - 1 });
  const buckets = whole.map(({ tier, from, to }) => (to - from) / WIDTHS[tier]);
  expect(buckets.reduce((sum, each) => sum + each, 0)).toBe(59 + 23 + 398 + 23 + 59);
  expect(edges.length).toBe(2);
});
