import { ownDeparture, peerDeparture } from '../departure/departed-metrics.ts';
import type { Facts, PeerMetricFacts } from '../facts.ts';
import type { FleetSymptom } from './symptom.ts';

/** A symptom less than this many usual ranges outside its own is not compared: noise alone decides which metric went further. */
const MIN_RANGES = 1;
/** The share of the way of the symptom from which on a metric is a full match: how wide usual ranges are differs between hosts. */
const ENOUGH = 0.25;

/**
 * How far a metric of another host went from its own history beside how far the symptom went from its own: 0 for not at all, 1 for a quarter
 * as far or further. The host that causes a trouble shows it purest, so one that hardly left its history did not make another leave its own.
 * @returns the function of a metric; 1 where a history does not show how far it went
 */
export function reachBeside(symptom: FleetSymptom, facts: Facts): (metric: PeerMetricFacts) => number {
  const own = ownDeparture(symptom.facts, facts);
  const reached = Math.abs(own?.ranges ?? 0);
  if (reached < MIN_RANGES) return () => 1;
  return (metric) => {
    const departure = peerDeparture(metric, facts);
    return departure === null ? 1 : Math.min(1, Math.abs(departure.ranges) / (ENOUGH * reached));
  };
}
