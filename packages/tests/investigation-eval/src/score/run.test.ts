import type { Facts } from '@tidewatch/domain/investigation/facts';
import { expect, it } from 'vitest';
import type { Setting } from '../incident.ts';
import { KINDS } from '../kinds/kinds.ts';
import { SEED_SETS } from '../settings.ts';
import { figuresOf } from './figures.ts';
import { investigateIncident } from './outcome.ts';

/** Settings for two incidents of each kind: one investigated at once, and one a minute later. */
const SETTINGS: readonly Setting[] = [
  { seed: SEED_SETS.dev + 31_337, noise: 1, intervalMs: 10_000, delayMs: 0 },
  { seed: SEED_SETS.dev + 62_674, noise: 1, intervalMs: 60_000, delayMs: 60_000 },
];
/** Timeout of the tests, ms: an evaluation takes seconds of CPU time, and longer on a busy machine. */
const PATIENCE = 60_000;

it(
  'the investigation of two incidents of every kind reaches the expected figures, without data from later times',
  () => {
    const outcomes = KINDS.flatMap((kind, nth) =>
      SETTINGS.map((setting) => {
        const incident = kind.make({ ...setting, seed: setting.seed + 1_009 * nth });
        expect(newest(incident.facts)).toBeLessThan(incident.facts.to);
        return investigateIncident(kind, setting, incident, () => 0);
      }),
    );
    const all = figuresOf(outcomes);
    expect(all.top1).toBeGreaterThanOrEqual(0.9);
    expect(all.top3).toBeGreaterThanOrEqual(0.95);
    expect(all.wrong).toBeLessThanOrEqual(0.05);
    expect(outcomes.filter(({ hasCause, found }) => !hasCause && found)).toEqual([]);
  },
  PATIENCE,
);

it(
  'a simulated incident depends on its seed alone',
  () => {
    const [setting] = SETTINGS;
    const [kind] = KINDS;
    if (setting === undefined || kind === undefined) throw new Error('nothing to make');
    const once = kind.make(setting);
    expect(JSON.stringify(kind.make(setting))).toBe(JSON.stringify(once));
    expect(kind.make({ ...setting, seed: setting.seed + 1 }).facts.service).not.toEqual(once.facts.service);
  },
  PATIENCE,
);

function newest({ metrics, peers, snapshots, payloadTimes }: Facts): number {
  const series = [
    ...metrics.flatMap(({ history, recent }) => [history, recent]),
    ...peers.flatMap((peer) => peer.metrics.map(({ recent }) => recent)),
  ];
  const ends = series.map(({ times }) => times.at(-1) ?? 0);
  return Math.max(...ends, snapshots.at(-1)?.time ?? 0, payloadTimes.at(-1) ?? 0);
}
