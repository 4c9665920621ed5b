import type { Facts, MetricFacts, Series } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { inSteps } from '../fleet/align-series.ts';
import { reasonResourceOf } from '../metric-class.ts';
import { chain, slice } from '../statistics/slice.ts';
import { comparedStep } from '../window.ts';
import { type Distances, distancesFromUsual } from './departure.ts';
import { troubleBegin, troubleBeginOfPeers } from './trouble-begin.ts';

/** The number of last values that show that a departure lasts. */
const MIN_LASTING_VALUES = 5;
/** A departure is unequalled if it is more than this many times as far from its usual range as any value before. */
const MIN_FACTOR = 2;
/** Values less than one usual range outside it count as one range outside: a short history does not show all that is usual. */
const MIN_RANGES = 1;

/**
 * Whether a finding is about the resources of a host of which one is further from its usual range than anything before: each of its last five
 * values, in the steps in which hosts are compared, is more than twice as far away as any resource of any compared host ever was before the trouble. What
 * happens by itself every few minutes is not, however short the history is.
 */
export function isUnequalled(facts: Facts, { serviceId, metric }: FindingDraft): boolean {
  if (metric === null || reasonResourceOf(metric) === null) return false;
  const all = resourcesOf(facts);
  const ofHost = all.filter((each) => each.serviceId === serviceId).map(({ distances }) => distances.since);
  const lasting = ofHost.filter(({ length }) => length >= MIN_LASTING_VALUES);
  const reached = Math.max(...lasting.map((since) => Math.min(...since.subarray(-MIN_LASTING_VALUES))));
  const before = all.map(({ distances }) => Math.max(...distances.before));
  return reached > MIN_FACTOR * Math.max(MIN_RANGES, ...before);
}

interface ResourceDistances {
  readonly serviceId: string;
  readonly metric: string;
  readonly distances: Distances;
}

/** The resources of all hosts with how far they were from their usual ranges; without those of which too little is known. */
function resourcesOf(facts: Facts): ResourceDistances[] {
  const { serviceId } = facts.service;
  const own = facts.metrics
    .filter(({ subject }) => subject.kind === 'host')
    .map((metric) => ({
      serviceId,
      metric: metric.metric,
      series: seriesOf(metric, facts),
      begin: troubleBegin(facts),
    }));
  const others = facts.peers.flatMap((peer) =>
    peer.metrics.map(({ metric, recent }) => ({
      serviceId: peer.serviceId,
      metric,
      series: recent,
      begin: troubleBeginOfPeers(facts),
    })),
  );
  return [...own, ...others].flatMap(({ series, begin, ...one }) => {
    const distances =
      reasonResourceOf(one.metric) === null ? null : distancesFromUsual(one.metric, series, begin);
    return distances === null ? [] : [{ ...one, distances }];
  });
}

/** A metric of the investigated host in the steps in which hosts are compared. */
function seriesOf({ before, recent, history }: MetricFacts, facts: Facts): Series {
  const samples = chain(before, recent);
  return inSteps(
    samples.times.length > 0 ? samples : slice(history, facts.peersFrom, facts.to),
    comparedStep(facts),
  );
}
