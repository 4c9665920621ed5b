import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, PeerFacts, PeerMetricFacts } from '../facts.ts';
import { reasonResourceOf } from '../metric-class.ts';
import { chain, slice } from '../statistics/slice.ts';
import { type Departure, departureOf } from './departure.ts';
import { troubleBegin, troubleBeginOfPeers } from './trouble-begin.ts';

/** The number of ranges by which a resource left its history at which it is as probably the cause as not. */
const HALF = 3;

/** The resource, or other metric, of a host that left its history the furthest. */
export interface Reason {
  readonly metric: string;
  readonly departure: Departure;
  /** 0 to 1: how well the resource explains trouble: r / (r + 3), where r is its distance in ranges. */
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

/** The resource of another host that left its history the furthest; null if none did. */
export function reasonOfPeer(peer: PeerFacts, facts: Facts): Reason | null {
  return furthest(peer.metrics.map((metric) => [metric.metric, peerDeparture(metric, facts)]));
}

/** The metric of another host, resource or effect, that left its history the furthest; null if none did. */
export function departureOfPeer(peer: PeerFacts, facts: Facts): Reason | null {
  return furthest(
    peer.metrics.map((metric) => [metric.metric, peerDeparture(metric, facts)]),
    () => true,
  );
}

/** The resource of the investigated host that left its history the furthest; null if none did. */
export function reasonOfOwn(facts: Facts): Reason | null {
  const known = computed.get(facts);
  if (known !== undefined) return known;
  const own = facts.metrics.filter(({ subject }) => subject.kind === 'host');
  const reason = furthest(own.map((metric) => [metric.metric, ownDeparture(metric, facts)]));
  computed.set(facts, reason);
  return reason;
}

const computed = new WeakMap<Facts, Reason | null>();

function furthest(
  all: ReadonlyArray<readonly [metric: string, departure: Departure | null]>,
  counts = (metric: string) => reasonResourceOf(metric) !== null,
): Reason | null {
  return all.reduce<Reason | null>((most, [metric, departure]) => {
    if (departure === null || departure.worse === 0 || !counts(metric)) return most;
    const score = weightOf(departure.worse);
    return most !== null && most.score >= score ? most : { metric, departure, score };
  }, null);
}
