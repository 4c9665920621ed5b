import { departureOfHost, type ExplainingReason, reasonOf } from '../departure/reason.ts';
import type { Facts, HostName, PeerFacts, PeerMetricFacts } from '../facts.ts';
import { reasonResourceOf } from '../metric-class.ts';
import { comparedStep } from '../window.ts';
import { PARAMETERS, type RankingParameters } from './movement.ts';
import { passedOnTo } from './passed-on.ts';
import { reachBeside } from './reach.ts';
import { comparedFrom, type FleetSymptom, fleetSymptomOf } from './symptom.ts';
import { type Trace, traceOf } from './trace.ts';

export interface RankedHost extends HostName {
  readonly peer: PeerFacts;
  /** Trace of the metric under investigation; null where the host does not have it. */
  readonly same: Trace | null;
  /** The metric with the highest score; on equal scores the metric under investigation. */
  readonly best: Trace;
  /** The resource, or the metric of unknown class, by which the host left its history; null if none did. */
  readonly reason: ExplainingReason | null;
  /** The trace of the metric that left its history the furthest, resource or not, and how far that is, 0 to 1. */
  readonly departed: { readonly trace: Trace; readonly score: number } | null;
  /** The trace of the metric by which the host is suspected: that of its reason or the most alike. */
  readonly shown: Trace;
  /** Whether that metric is suspected since it left its own history, rather than since it is like the symptom. */
  readonly isShownByHistory: boolean;
  /** 0 to 1: how alike the host is to the symptom, times the strength of its movement and its reach beside the symptom. */
  readonly likeness: number;
  /** 0 to 1, comparable between hosts; groups of hosts that moved together are not considered yet. */
  readonly score: number;
}

export interface HostRanking {
  readonly symptom: FleetSymptom;
  /** The share, 0 to 1, that the resources of any host leave to likeness. */
  readonly unreasoned: number;
  /** Other hosts that have a metric to compare, best first. */
  readonly hosts: readonly RankedHost[];
}

/** The share of its score that a host loses if its similarity to the symptom may be a coincidence. */
const DOUBT = 0.3;

/**
 * Ranks the other hosts as possible causes by similarity to the symptom (`jackknifeCorrelation`: a cause shows a fault
 * purest) times strength (`movementOf`: what always varies correlates by chance). Decision 0060 compares this with other
 * rankings. What hardly left its history beside the symptom counts less (`reachBeside`), and so does
 * a host that could not pass it on (`passedOnTo`). A metric other than the investigated
 * one counts only beyond the correlation that as many unrelated metrics would reach: Fisher's z less √(2 ln m / (n − 3)).
 * @param from when the comparison begins, ms
 * @returns null if the symptom has no values
 */
export function rankHosts(
  facts: Facts,
  parameters: RankingParameters = PARAMETERS,
  from = comparedFrom(facts, comparedStep(facts)),
): HostRanking | null {
  const symptom = fleetSymptomOf(facts, parameters, from);
  if (symptom === null) return null;
  const others = facts.peers.reduce(
    (count, peer) => count + peer.metrics.filter(({ metric }) => metric !== symptom.facts.metric).length,
    0,
  );
  const within = Math.max(facts.intervalMs, symptom.stepMs) / 2;
  const trace = (metric: PeerMetricFacts) => traceOf(metric, symptom, { from, within, others, parameters });
  const reach = reachBeside(symptom, facts);
  const passedOn = passedOnTo(symptom);
  const hosts = facts.peers.flatMap((peer): RankedHost[] => {
    const traces = peer.metrics.map(trace);
    const same = traces.find((one) => one.facts.metric === symptom.facts.metric) ?? null;
    const reason = reasonOf(peer.serviceId, facts);
    const alike = alikeness(reach, passedOn(same) + (reason?.score ?? 0));
    const best = traces.reduce<Trace | null>(
      (most, one) => (most === null || alike(one) > alike(most) ? one : most),
      same,
    );
    if (best === null) return [];
    const doubt = DOUBT * byChance(best, facts.peers.length);
    const likeness = alike(best) * symptom.evident * (1 - doubt);
    const reasoned = traces.find(({ facts: { metric } }) => metric === reason?.metric);
    const isShownByHistory = reasoned !== undefined && (reason?.score ?? 0) > likeness;
    const shown = isShownByHistory ? reasoned : best;
    const furthest = departureOfHost(peer.serviceId, facts);
    const gone = traces.find(({ facts: { metric } }) => metric === furthest?.metric);
    const departed = gone === undefined || furthest === null ? null : { trace: gone, score: furthest.score };
    const { serviceId, host: name } = peer;
    const why = { shown, isShownByHistory, reason, departed, likeness };
    return [{ serviceId, host: name, peer, same, best, ...why, score: 0 }];
  });
  const unreasoned = unreasonedOf(facts, hosts);
  // Metrics of unknown class may be what a host is alike by, so that they add nothing to its likeness.
  const scored = hosts.map((host) => {
    const { ofResources = 0, ofUnknown = 0 } = host.reason ?? {};
    return { ...host, score: ofResources + Math.max(ofUnknown, unreasoned * host.likeness) };
  });
  return { symptom, unreasoned, hosts: scored.sort(byScore) };
}

/**
 * How alike a metric is to the symptom, 0 to 1. Metrics other than resources count up to `bound`: what the rise of the host may have passed on, and its
 * resources explain.
 */
function alikeness(reach: (metric: PeerMetricFacts) => number, bound: number): (trace: Trace) => number {
  return ({ facts, score }) => {
    const alike = score * reach(facts);
    return reasonResourceOf(facts.metric) === null ? Math.min(alike, bound) : alike;
  };
}

/** The share, 0 to 1, that resources of any host leave to likeness. */
function unreasonedOf(facts: Facts, hosts: readonly RankedHost[]): number {
  const reasons = [reasonOf(facts.service.serviceId, facts), ...hosts.map(({ reason }) => reason)];
  return 1 - Math.max(...reasons.map((reason) => reason?.ofResources ?? 0));
}

/**
 * The expected number of unrelated hosts, at most 1, that correlate with the symptom as well by chance, from the tail of
 * Fisher's z. With five samples some host of nearly every fleet does.
 */
function byChance({ together, compared }: Trace, hosts: number): number {
  const z = Math.atanh(Math.min(together, 1 - 1e-9)) * Math.sqrt(Math.max(1, compared - 3));
  return Math.min(1, hosts * normalTail(z));
}

/**
 * The probability that a standard normal variable exceeds `z` (0 or more): Abramowitz and Stegun 26.2.17, exact to 1e-7.
 */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/** Orders hosts by score; of equal scores, the less probable coincidence comes first, so names do not affect the order. */
function byScore(a: RankedHost, b: RankedHost): number {
  return (
    b.score - a.score || b.best.movement.excess - a.best.movement.excess || b.best.compared - a.best.compared
  );
}
