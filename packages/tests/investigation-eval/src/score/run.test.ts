import type { Facts } from '@tidewatch/domain/investigation/facts';
import { expect, it } from 'vitest';
import type { Setting } from '../incident.ts';
import { KINDS } from '../kinds/kinds.ts';
import { SEED_SETS } from '../settings.ts';
import { figuresOf } from './figures.ts';
import { investigateIncident } from './outcome.ts';

/** For each kind, one incident investigated at once and one investigated a minute late. */
const SETTINGS: readonly Setting[] = [
  { seed: SEED_SETS.dev + 31_337, noise: 1, intervalMs: 10_000, delayMs: 0 },
  { seed: SEED_SETS.dev + 62_674, noise: 1, intervalMs: 60_000, delayMs: 60_000 },
];
/** Timeout: the evaluation computes for seconds, longer on a busy machine. */
const PATIENCE = 60_000;

it(
  'reaches its figures on two incidents of every kind, none of which knows what comes later',
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
  'an incident follows from its seed',
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
