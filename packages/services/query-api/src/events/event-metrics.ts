import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1, 2.5, 5, 30] as const;

/** The metrics of event streams. */
export function eventMetrics(metrics: Metrics) {
  const streams = metrics.gauge('tidewatch_event_streams', 'Streams of events that are open.');
  const dropped = metrics.counter(
    'tidewatch_event_streams_dropped_total',
    'Streams of events that were ended: slow is a reader that did not keep up, key one whose key opens it no more.',
    ['reason'],
  );
  const delay = metrics.histogram(
    'tidewatch_event_delivery_seconds',
    'From when an event was stored until it was handed to the streams that want it.',
    [],
    SECONDS,
  );
  return {
    open: (count: number) => streams.set(count),
    dropped: (reason: 'slow' | 'key') => dropped.inc({ reason }),
    handed: (seconds: number) => delay.observe(Math.max(0, seconds)),
  };
}
