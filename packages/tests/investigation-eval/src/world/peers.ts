import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { PeerFacts, Series } from '@tidewatch/domain/investigation/facts';
import { reducePeerMetric, type Stretch } from '../reduce.ts';
import type { Host } from './host.ts';
import type { MetricName } from './natures.ts';
import type { Signal } from './signal.ts';

/** The max number of metrics of each peer besides the investigated one, of those that shifted by `MIN_SHIFT`. */
const MAX_MOVED = 4;
const MIN_SHIFT = 2;
/** Old data is simulated at this interval, ms, because only its hourly means are read. */
const COARSE = 10 * MINUTE_MS;

/**
 * Reduces another host to the facts that the store returns about a peer: the alerting metric, and the metrics that
 * changed most.
 */
export function peerFacts(host: Host, metric: MetricName, stretch: Stretch): PeerFacts {
  const all = [...host.signals].flatMap(([name, signal]) =>
    reducePeerMetric(host.name, name, seriesOf(signal, stretch), stretch),
  );
  const moved = all
    .filter(({ facts, shift }) => facts.metric !== metric && shift >= MIN_SHIFT)
    .sort((a, b) => b.shift - a.shift)
    .slice(0, MAX_MOVED);
  const asked = all.filter(({ facts }) => facts.metric === metric);
  return {
    serviceId: host.serviceId,
    host: host.name,
    tags: host.tags,
    lastSeen: stretch.to,
    metrics: [...asked, ...moved].map(({ facts }) => facts),
  };
}

/** The values of a signal: one a minute from where steps are detected on, fewer before. */
function seriesOf(signal: Signal, { historyFrom, peersFrom, to }: Stretch): Series {
  const times: number[] = [];
  for (let time = Math.ceil(historyFrom / COARSE) * COARSE; time < peersFrom; time += COARSE)
    times.push(time);
  for (let time = peersFrom; time < to; time += MINUTE_MS) times.push(time);
  return { times: Float64Array.from(times), values: Float64Array.from(times, (time) => signal.at(time)) };
}
