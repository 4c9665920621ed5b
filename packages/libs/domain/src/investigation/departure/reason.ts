import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, PeerFacts, PeerMetricFacts } from '../facts.ts';
import { reasonResourceOf } from '../metric-class.ts';
import { chain, slice } from '../statistics/slice.ts';
import { type Departure, departureOf } from './departure.ts';
import { type Departed, mainMetric } from './main-metric.ts';
import { troubleBegin, troubleBeginOfPeers } from './trouble-begin.ts';

/** The number of ranges by which a resource left its history at which it is as probably the cause as not. */
const HALF = 3;

/** The metrics, resources or others, by which a host left its history. */
export interface Reason {
  /** The main one of them (`mainMetric`). */
  readonly metric: string;
  /** 0 to 1: how well they explain trouble: r / (r + 3), where r is the largest distance of any in ranges. */
  readonly score: number;
}

/** How much a departure by so many ranges counts, 0 to 1. */
export function weightOf(ranges: number): number {
  return ranges / (ranges + HALF);
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

/** The resources by which another host left its history; null if none did. */
export function reasonOfPeer(peer: PeerFacts, facts: Facts): Reason | null {
  return reasonOf(departedOf(peer, facts).filter(({ metric }) => reasonResourceOf(metric) !== null));
}

/** The metrics of another host, resources or effects, by which it left its history; null if none did. */
export function departureOfPeer(peer: PeerFacts, facts: Facts): Reason | null {
  return reasonOf(departedOf(peer, facts));
}

/** The resources by which the investigated host left its history; null if none did. */
export function reasonOfOwn(facts: Facts): Reason | null {
  const known = computed.get(facts);
  if (known !== undefined) return known;
  const reason = reasonOf(
    facts.metrics
      .filter(({ subject, metric }) => subject.kind === 'host' && reasonResourceOf(metric) !== null)
      .flatMap((each) => departedBy(each.metric, ownDeparture(each, facts), () => ownValues(each))),
  );
  computed.set(facts, reason);
  return reason;
}

const computed = new WeakMap<Facts, Reason | null>();

/** All known values of a metric of the investigated host, as fine as they are. */
export function ownValues({ before, recent, history }: MetricFacts): Float64Array {
  return before.times.length === 0 ? history.values : chain(before, recent).values;
}

type DepartedMetric = Departed & { readonly metric: string };

function departedOf({ metrics }: PeerFacts, facts: Facts): DepartedMetric[] {
  return metrics.flatMap((each) =>
    departedBy(each.metric, peerDeparture(each, facts), () => each.recent.values),
  );
}

function departedBy(
  metric: string,
  departure: Departure | null,
  values: () => Float64Array,
): DepartedMetric[] {
  if (departure === null || departure.worse === 0) return [];
  return [{ metric, departure, score: weightOf(departure.worse), values }];
}

function reasonOf(departed: readonly DepartedMetric[]): Reason | null {
  const main = mainMetric(departed);
  return main === null
    ? null
    : { metric: main.metric, score: Math.max(...departed.map(({ score }) => score)) };
}
