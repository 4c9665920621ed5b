import type { Facts, MetricFacts, Series } from '../facts.ts';
import { inSteps, valuesNear } from '../fleet/align-series.ts';
import { jackknifeCorrelation } from '../fleet/jackknife-correlation.ts';
import { comparedStep } from '../window.ts';
import { type DepartedMetric, ownDeparture } from './departed-metrics.ts';
import type { Departure } from './departure.ts';

/** A metric that went up to so many times as far as the symptom, or down to that part of it, may measure the same in the same unit. */
const MAX_FACTOR = 4;

/**
 * How much a metric of unknown class is the symptom seen again, as another percentile of it or on another host: the share of variance that both have in
 * common in the window, 0 to 1, where it went the same way by about as much in number; 0 where it did not.
 */
export function seenAgain(facts: Facts): (one: DepartedMetric) => number {
  const symptom = hostMetric(facts, facts.metric);
  const departure = symptom === null ? null : ownDeparture(symptom, facts);
  if (symptom === null || departure === null) return () => 0;
  const stepMs = comparedStep(facts);
  const window = inSteps(symptom.recent, stepMs);
  return (one) => {
    const factor = riseOf(one.departure) / riseOf(departure);
    if (!(factor >= 1 / MAX_FACTOR && factor <= MAX_FACTOR)) return 0;
    const near = valuesNear(window.times, seriesOf(one, facts, stepMs), stepMs / 2);
    return (jackknifeCorrelation(window.values, near)?.r ?? 0) ** 2;
  };
}

/** How far a metric went from its usual median, in its unit. */
function riseOf({ level, width }: Departure): number {
  return level * width;
}

/** A metric of any compared host in the steps in which hosts are compared. */
function seriesOf({ serviceId, metric }: DepartedMetric, facts: Facts, stepMs: number): Series {
  const peer = facts.peers.find((each) => each.serviceId === serviceId);
  const shown = peer?.metrics.find((each) => each.metric === metric)?.recent;
  const own = serviceId === facts.service.serviceId ? hostMetric(facts, metric)?.recent : undefined;
  return shown ?? inSteps(own ?? { times: new Float64Array(), values: new Float64Array() }, stepMs);
}

function hostMetric({ metrics }: Facts, name: string | null): MetricFacts | null {
  return metrics.find(({ metric, subject }) => metric === name && subject.kind === 'host') ?? null;
}
