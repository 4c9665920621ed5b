import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { comparedMetrics } from '@tidewatch/domain/investigation/departure/compared-metrics';
import type { PeerFacts, Series } from '@tidewatch/domain/investigation/facts';
import { comparedStep } from '@tidewatch/domain/investigation/window';
import { reducePeerMetric, type Stretch } from '../reduce.ts';
import type { Host } from './host.ts';
import type { MetricName } from './natures.ts';
import type { Signal } from './signal.ts';

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
  const compared = comparedMetrics(all, metric, ({ distance }) => distance);
  return {
    serviceId: host.serviceId,
    host: host.name,
    tags: host.tags,
    lastSeen: stretch.to,
    metrics: compared.map(({ facts }) => facts),
  };
}

/** The values of a signal: two for each compared step, fewer before those. */
function seriesOf(signal: Signal, { from, historyFrom, peersFrom, to, intervalMs }: Stretch): Series {
  const times: number[] = [];
  for (let time = Math.ceil(historyFrom / COARSE) * COARSE; time < peersFrom; time += COARSE)
    times.push(time);
  const every = Math.max(intervalMs, Math.ceil(comparedStep({ from, to, intervalMs }) / 2));
  for (let time = Math.max(peersFrom, historyFrom); time < to; time += every) times.push(time);
  return { times: Float64Array.from(times), values: Float64Array.from(times, (time) => signal.at(time)) };
}
