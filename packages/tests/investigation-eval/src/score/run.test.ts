import { describe, expect, it } from 'vitest';
import type { Setting } from '../incident.ts';
import { KINDS } from '../kinds/kinds.ts';
import { SEED_SETS } from '../settings.ts';
import { figuresOf } from './figures.ts';
import { judge } from './judge.ts';

/** Of each kind one incident at each interval, asked at once or a minute late in turn. */
const SETTINGS = [1_000, 10_000, 60_000].map(
  (intervalMs, nth): Setting => ({
    seed: SEED_SETS.dev + 31_337 * (nth + 1),
    noise: 1,
    intervalMs,
    delayMs: nth % 2 === 0 ? 0 : 60_000,
  }),
);

describe('incidents', () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    'of the kind "%s" follow from their seed, and know nothing of what comes later',
    (_, kind) => {
      const [, setting] = SETTINGS;
      if (setting === undefined) throw new Error('no setting');
      const { facts } = kind.make(setting);
      expect(kind.make(setting).facts).toEqual(facts);
      const series = [
        ...facts.metrics.flatMap(({ history, recent }) => [history, recent]),
        ...facts.peers.flatMap(({ metrics }) => metrics.map(({ recent }) => recent)),
      ];
      for (const { times } of series) expect(times.at(-1) ?? 0).toBeLessThan(facts.to);
      expect(facts.snapshots.at(-1)?.time ?? 0).toBeLessThan(facts.to);
      expect(facts.payloadTimes.at(-1)).toBeLessThan(facts.to);
      expect(facts.from).toBeLessThanOrEqual((facts.alert?.pendingSince ?? 0) - 30 * 60_000);
    },
  );
});

it('reaches its figures on a few incidents of every kind', () => {
  const outcomes = KINDS.flatMap((kind, nth) =>
    SETTINGS.map((setting) => judge(kind, { ...setting, seed: setting.seed + 1_009 * nth }, () => 0)),
  );
  const all = figuresOf(outcomes);
  expect(all.top1).toBeGreaterThanOrEqual(0.9);
  expect(all.top3).toBeGreaterThanOrEqual(0.97);
  expect(all.wrong).toBeLessThanOrEqual(0.05);
  expect(outcomes.filter(({ hasCause, found }) => !hasCause && found)).toEqual([]);
});
