import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { DEFAULT_RETENTION } from '../rollup/buckets.ts';
import { candidatesOf } from './candidates.ts';
import { planPreview } from './range.ts';

it('the candidates of a preview combine every threshold with every duration, and keep the distance of the recovery threshold', () => {
  const rule = definitionOf({ threshold: 90, recovery_threshold: 85, duration_minutes: 5 });
  expect(
    candidatesOf(rule, [80, 95], [1, 10]).map(({ definition: d }) => [
      d.threshold,
      d.recovery_threshold,
      d.duration_minutes,
    ]),
  ).toEqual([
    [80, 75, 1],
    [80, 75, 10],
    [95, 90, 1],
    [95, 90, 10],
  ]);
  expect(candidatesOf(rule, undefined, [1]).map(({ threshold }) => threshold)).toEqual([90]);
  expect(candidatesOf(rule, undefined, undefined)).toEqual([]);
});

it('a preview evaluates samples if they are kept for the whole range, otherwise minutes for as far back as these are kept', () => {
  const now = Date.UTC(2026, 10, 21, 14, 36, 28);
  const plan = (from?: number, to?: number) => planPreview({ from, to, now, retention: DEFAULT_RETENTION });
  expect(plan()).toEqual({ tier: 'raw', from: now - 7 * DAY_MS, to: now });
  expect(plan(now - 20 * DAY_MS)).toEqual({ tier: '1m', from: Date.UTC(2026, 10, 1, 14, 37), to: now });
  expect(plan(0, now + DAY_MS)).toEqual({ tier: '1m', from: Date.UTC(2026, 9, 22), to: now });
  expect(plan(now)).toBeNull();
  expect(plan(0, now - 60 * DAY_MS)).toBeNull();
});
