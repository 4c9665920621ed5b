import { isPassedOn } from '../metric-class.ts';
import type { FleetSymptom } from './symptom.ts';
import type { Trace } from './trace.ts';

/** The share of the rise of a symptom from which on another host may have passed it on: a caller that asks again waits several times as long. */
const ENOUGH = 0.25;

/**
 * How much of the rise of a symptom the rise of the same metric of another host explains, both in the unit of the metric: 0 for nothing, 1 for a
 * quarter or more. Latency and errors reach a host from those that it waits for, so it is not much slower for another host than that one is itself.
 * @returns the function of the trace of that metric; 1 where a rise is not known, or where hosts do not pass on what the metric measures
 */
export function passedOnTo({ facts, movement }: FleetSymptom): (same: Trace | null) => number {
  const { rise } = movement;
  if (rise === null || rise === 0 || !isPassedOn(facts.metric)) return () => 1;
  return (same) => {
    const other = same?.movement.rise ?? null;
    return other === null ? 1 : Math.max(0, Math.min(1, other / (ENOUGH * rise)));
  };
}
