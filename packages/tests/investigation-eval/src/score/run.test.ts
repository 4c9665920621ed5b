import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
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
  'a host whose first sample is in trouble has too little history, and no cause is named for it',
  () => {
    const setting = { ...SETTINGS[0], seed: SEED_SETS.dev + 93_011, view: 'new host' } as Setting;
    const outcomes = KINDS.map((kind, nth) => {
      const incident = kind.make({ ...setting, seed: setting.seed + 1_009 * nth });
      const { pendingSince } = incident.facts.alert ?? {};
      // Means of minutes have the time at which the minute begins.
      expect(oldest(incident.facts)).toBeGreaterThan((pendingSince ?? Number.NaN) - MINUTE_MS);
      return investigateIncident(kind, setting, incident, () => 0);
    });
    expect(outcomes.filter(({ found }) => found)).toEqual([]);
    // A host that sends nothing lacks data and not history.
    const others = outcomes.filter(
      ({ kind, reason }) => reason !== 'too_little_history' && kind !== 'missing data',
    );
    expect(others).toEqual([]);
  },
  PATIENCE,
);

it(
  'a window that begins in the midst of trouble has its first sample there, and history before it',
  () => {
    const setting = { ...SETTINGS[0], view: 'amid the trouble' } as Setting;
    const [kind] = KINDS;
    if (kind === undefined) throw new Error('nothing to make');
    const { facts } = kind.make(setting);
    const alone = kind.make({ ...setting, view: 'alert' }).facts;
    expect(facts.alert).toBeNull();
    expect(facts.from).toBe(alone.alert?.pendingSince);
    const symptom = facts.metrics.find(
      ({ metric, subject }) => metric === facts.metric && subject.kind === 'host',
    );
    expect(symptom?.recent.values[0]).toBeGreaterThan(alone.alert?.threshold ?? Number.NaN);
    expect(symptom?.before.values.length).toBeGreaterThan(100);
    const outcomes = KINDS.map((each, nth) =>
      investigateIncident(
        each,
        setting,
        each.make({ ...setting, seed: setting.seed + 1_009 * nth }),
        () => 0,
      ),
    );
    const ofKind = (name: string) => outcomes.find((each) => each.kind === name);
    for (const name of ['process eats CPU', 'network saturation', 'one after another'])
      expect(ofKind(name)).toMatchObject({ found: true, foundRightly: true });
    expect(figuresOf(outcomes).top1).toBeGreaterThanOrEqual(0.9);
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

function oldest({ metrics, peers, snapshots, payloadTimes }: Facts): number {
  const series = [
    ...metrics.flatMap(({ history, recent, before }) => [history, recent, before]),
    ...peers.flatMap((peer) => peer.metrics.map(({ recent }) => recent)),
  ];
  const starts = series.flatMap(({ times }) => times[0] ?? []);
  return Math.min(...starts, ...snapshots.slice(0, 1).map(({ time }) => time), ...payloadTimes.slice(0, 1));
}
