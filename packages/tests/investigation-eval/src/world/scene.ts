import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { ChangeFacts, PastAlertFacts } from '@tidewatch/domain/investigation/facts';
import type { Cause, Incident, Setting } from '../incident.ts';
import { gather, type Situation, source } from './gather.ts';
import { distract, type Host, makeHost, PEER_METRICS, type Span } from './host.ts';
import type { MetricName } from './natures.ts';
import { Random } from './random.ts';
import { fire, type Rule } from './rule.ts';
import { UNQUIET_HISTORY_HOURS, unsettle, withoutSome } from './unrest.ts';

const EPOCH = Date.UTC(2026, 2, 2);

/** The setting of an incident: an ordinary host among others, and the time at which the trouble will begin. */
export interface Scene {
  readonly random: Random;
  readonly setting: Setting;
  readonly span: Span;
  readonly host: Host;
  readonly peers: readonly Host[];
  readonly onset: number;
  readonly historyHours: number;
  readonly durationMs: number;
}

/** The least and the greatest number of other hosts. */
type PeersBetween = readonly [least: number, most: number];

export function openScene(setting: Setting, peersBetween: PeersBetween): Scene {
  const random = new Random(setting.seed);
  const onset = EPOCH + random.whole(0, 27) * DAY_MS + random.between(0, DAY_MS);
  const span = { begin: onset - 34 * HOUR_MS, end: onset + 8 * HOUR_MS };
  const group = random.pick(['web', 'shop', 'batch']);
  const name = () => `${group}-${random.whole(100, 9_999)}`;
  const tags = () => ({
    group,
    zone: random.pick(['a', 'b', 'c']),
    version: '1.4.1',
    rack: `r${random.whole(1, 6)}`,
  });
  const host = makeHost(random, name(), span, setting.noise, tags());
  const peers = Array.from({ length: random.whole(...peersBetween) }, () =>
    makeHost(random, name(), span, setting.noise, tags(), PEER_METRICS),
  );
  for (const each of [host, ...peers]) distract(random, each, span, onset);
  const unquiet = new Random(setting.seed + 1);
  if (setting.unquiet) unsettle(unquiet, host, peers, onset);
  // Rules without a duration occur only at intervals of a minute or more: otherwise a single sample would be all that is
  // known of the trouble.
  const durations = setting.intervalMs < MINUTE_MS ? [1, 2, 5, 10] : [0, 1, 2, 5, 10];
  return {
    random,
    setting,
    span,
    host,
    peers,
    onset,
    historyHours: historyHours(random, unquiet, setting),
    durationMs: random.pick(durations) * MINUTE_MS,
  };
}

function historyHours(random: Random, unquiet: Random, setting: Setting): number {
  const quiet = random.chance(0.2) ? 3 : 24;
  return setting.unquiet ? unquiet.pick(UNQUIET_HISTORY_HOURS) : quiet;
}

export interface SceneEnd {
  readonly cause: Cause | null;
  readonly past?: readonly PastAlertFacts[];
  readonly changes?: readonly ChangeFacts[];
  readonly silent?: Situation['silent'];
}

/** Completes an incident once its rule has fired; null if the rule does not fire within eight hours of the onset. */
export function closeScene(
  scene: Scene,
  metric: MetricName,
  threshold: number,
  end: SceneEnd,
): Incident | null {
  const rule: Rule = { metric, threshold, durationMs: scene.durationMs };
  const signal = scene.host.signals.get(metric);
  if (signal === undefined) throw new Error(`no metric ${metric}`);
  const { intervalMs } = scene.setting;
  const begin = Math.ceil((scene.onset - MINUTE_MS) / intervalMs) * intervalMs;
  const firing = fire(signal, rule, begin, scene.span.end - HOUR_MS, intervalMs);
  if (firing === null) return null;
  const unquiet = new Random(scene.setting.seed + 2);
  const seen = (each: Host) => (scene.setting.unquiet ? withoutSome(unquiet, each, metric) : each);
  const facts = gather({
    setting: scene.setting,
    host: seen(scene.host),
    peers: scene.peers.map(seen),
    rule,
    firing,
    historyHours: scene.historyHours,
    ...(end.silent === undefined ? {} : { silent: end.silent }),
    past: end.past ?? [],
    changes: [...(end.changes ?? []), ...innocentChanges(scene)],
  });
  return { facts, cause: end.cause };
}

/** A threshold between the max of the last ordinary day and the level `trouble`, by a share of the distance. */
export function thresholdBelow(
  host: Host,
  metric: MetricName,
  onset: number,
  trouble: number,
  share: number,
): number {
  const signal = host.signals.get(metric);
  if (signal === undefined) throw new Error(`no metric ${metric}`);
  let most = Number.NEGATIVE_INFINITY;
  for (let time = onset - DAY_MS; time < onset; time += 5 * MINUTE_MS) most = Math.max(most, signal.at(time));
  return most + share * Math.max(0, trouble - most);
}

/** Makes an incident of scenes with so many other hosts: tries neighbouring seeds until one leads to an alert. */
export function untilFired(peersBetween: PeersBetween, make: (scene: Scene) => Incident | null) {
  return (setting: Setting): Incident => {
    for (let nth = 0; nth < 20; nth++) {
      const incident = make(openScene({ ...setting, seed: setting.seed + nth * 1_000_003 }, peersBetween));
      if (incident !== null) return incident;
    }
    throw new Error('no seed makes this incident fire');
  };
}

/** Deployments that are unrelated to the incident, some hours or minutes before or after it. */
export function innocentChanges({ random, host, peers, onset }: Scene): ChangeFacts[] {
  const count = random.chance(0.35) ? random.whole(1, 2) : 0;
  return Array.from({ length: count }, (_, nth) => {
    const at = onset + random.between(-115, 15) * MINUTE_MS;
    const others = peers.filter(() => random.chance(0.5));
    return {
      kind: random.pick(['marker', 'marker', 'tag', 'rule']),
      id: `mrk_innocent_${nth}`,
      at,
      title: random.pick(['new certificates', 'deploy of docs', 'threshold raised']),
      tags: { build: `${random.whole(100, 999)}` },
      hosts: [host, ...others].map(({ serviceId, name }) => ({ serviceId, host: name })),
      source: source('changes', at - MINUTE_MS, onset),
    };
  });
}
