import type { Facts, HostName, PeerFacts, PeerMetricFacts } from '../facts.ts';
import { PARAMETERS, type RankingParameters } from './movement.ts';
import { reasonOf } from './reason.ts';
import { comparedFrom, type FleetSymptom, fleetSymptomOf } from './symptom.ts';
import { type Trace, traceOf } from './trace.ts';

export interface RankedHost extends HostName {
  readonly peer: PeerFacts;
  /** Trace of the metric under investigation; null where the host does not have it. */
  readonly same: Trace | null;
  /** The metric with the most evidence; on equal evidence `same`. */
  readonly best: Trace;
  /** 0 to 1: how well one of its own resources explains it; effects such as latency only show that it suffers. */
  readonly reason: number;
  /** 0 to 1, and comparable between hosts; before anything is said of groups that moved as one. */
  readonly score: number;
}

export interface HostRanking {
  readonly symptom: FleetSymptom;
  /** Other hosts that have a metric to compare, best first. */
  readonly hosts: readonly RankedHost[];
}

/** The share of its score that a host loses if its similarity to the symptom may be a coincidence. */
const DOUBT = 0.3;

/**
 * Which other hosts may be the cause, by two measures of which neither suffices.
 *
 * *Moving together* with the symptom, as signed correlation over the incident (`jackknifeCorrelation`): where a fault
 * passes through many services, every one on its way shows it, but the cause shows it purest, while those beside it add
 * noise of their own. *Strength* (`movementOf`), how much more than usual it moved: what always swings correlates with
 * something by chance. The score is their product. For amounts that add up, as delays and failures do along a call,
 * the size of a movement beyond this says more of how few requests a host sees than of the cause (ranked correlation and
 * score ordering are compared in decision 0060).
 *
 * A metric other than the one in question may be any of many, so its correlation counts only beyond what the best of as many
 * unrelated ones would reach: Fisher's z less √(2 ln m / (n − 3)).
 *
 * @returns null where the symptom has no values
 */
export function rankHosts(facts: Facts, parameters: RankingParameters = PARAMETERS): HostRanking | null {
  const symptom = fleetSymptomOf(facts, parameters);
  if (symptom === null) return null;
  const others = facts.peers.reduce(
    (count, peer) => count + peer.metrics.filter(({ metric }) => metric !== symptom.facts.metric).length,
    0,
  );
  const within = Math.max(facts.intervalMs, symptom.stepMs) / 2;
  const trace = (metric: PeerMetricFacts) =>
    traceOf(metric, symptom, { from: comparedFrom(facts, symptom.stepMs), within, others, parameters });
  const hosts = facts.peers.flatMap((peer): RankedHost[] => {
    const traces = peer.metrics.map(trace);
    const same = traces.find((one) => one.facts.metric === symptom.facts.metric) ?? null;
    const best = traces.reduce<Trace | null>(
      (most, one) => (most === null || one.score > most.score ? one : most),
      same,
    );
    if (best === null) return [];
    const reason = reasonOf(traces, parameters);
    const score = Math.max(best.score, reason) * symptom.evident;
    const doubted = score * (1 - DOUBT * byChance(best, facts.peers.length));
    return [{ serviceId: peer.serviceId, host: peer.host, peer, same, best, score: doubted, reason }];
  });
  return { symptom, hosts: hosts.sort(byScore) };
}

/**
 * How many hosts of so many would go together as well by chance, at most 1: the tail of Fisher's z. Of five samples
 * nearly every fleet has someone who seems to follow.
 */
function byChance({ together, compared }: Trace, hosts: number): number {
  const z = Math.atanh(Math.min(together, 1 - 1e-9)) * Math.sqrt(Math.max(1, compared - 3));
  return Math.min(1, hosts * normalTail(z));
}

/** Chance that a standard normal exceeds `z` (from 0 on): Abramowitz and Stegun 26.2.17, exact to 1e-7. */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/** Equal scores are ordered by what is left of chance alone, never by name or order of arrival. */
function byScore(a: RankedHost, b: RankedHost): number {
  return (
    b.score - a.score || b.best.movement.excess - a.best.movement.excess || b.best.compared - a.best.compared
  );
}
