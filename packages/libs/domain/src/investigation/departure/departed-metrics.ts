import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, PeerMetricFacts } from '../facts.ts';
import { chain, slice } from '../statistics/slice.ts';
import { type Departure, departureOf } from './departure.ts';
import type { Departed } from './main-metric.ts';
import { troubleBegin, troubleBeginOfPeers } from './trouble-begin.ts';

/** The number of ranges by which a resource left its history at which it is as probably the cause as not. */
const HALF = 3;

/** How much a departure by so many ranges counts, 0 to 1: r / (r + 3). */
export function weightOf(ranges: number): number {
  return ranges / (ranges + HALF);
}

/** A metric of a host that left its history for the worse; its score is the weight of its distance in ranges. */
export interface DepartedMetric extends Departed {
  readonly serviceId: string;
  readonly metric: string;
}

const computed = new WeakMap<Facts, ReadonlyMap<string, readonly DepartedMetric[]>>();

/** The metrics of each compared host, by `serviceId`, that left their history; cached, since facts do not change. */
export function departedMetrics(facts: Facts): ReadonlyMap<string, readonly DepartedMetric[]> {
  const known = computed.get(facts);
  if (known !== undefined) return known;
  const own = facts.metrics
    .filter(({ subject }) => subject.kind === 'host')
    .flatMap((each) =>
      departed(facts.service.serviceId, each.metric, ownDeparture(each, facts), () => ownValues(each)),
    );
  const others = facts.peers.flatMap(({ serviceId, metrics }) =>
    metrics.flatMap((each) =>
      departed(serviceId, each.metric, peerDeparture(each, facts), () => each.recent.values),
    ),
  );
  const all = Map.groupBy([...own, ...others], ({ serviceId }) => serviceId);
  computed.set(facts, all);
  return all;
}

function departed(
  serviceId: string,
  metric: string,
  departure: Departure | null,
  values: () => Float64Array,
): DepartedMetric[] {
  if (departure === null || departure.worse === 0) return [];
  return [{ serviceId, metric, departure, score: weightOf(departure.worse), values }];
}

/** The departure of a metric of another host; null with too little history. */
export function peerDeparture({ metric, recent, usual }: PeerMetricFacts, facts: Facts): Departure | null {
  return departureOf(metric, recent, troubleBeginOfPeers(facts), usual.hourly);
}

/** The departure of a metric of the investigated host; null with too little history. */
export function ownDeparture(
  { metric, before, recent, history }: MetricFacts,
  facts: Facts,
): Departure | null {
  const begin = troubleBegin(facts);
  if (facts.intervalMs >= MINUTE_MS || before.times.length === 0) return departureOf(metric, history, begin);
  const near = chain(before, recent);
  // The mean of the minute in which the trouble began is not usual.
  const far = slice(history, Number.NEGATIVE_INFINITY, begin - MINUTE_MS + 1).values;
  return departureOf(metric, near, begin, far) ?? departureOf(metric, history, begin);
}

/** All known values of a metric of the investigated host, as fine as they are. */
export function ownValues({ before, recent, history }: MetricFacts): Float64Array {
  return before.times.length === 0 ? history.values : chain(before, recent).values;
}
