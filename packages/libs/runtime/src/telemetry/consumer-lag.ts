import type { Metrics } from './metrics.ts';

/**
 * Registers the gauge of consumer lag, by which consumers are scaled; returns a function that sets it (name of the
 * consumer, records).
 */
export function exposeConsumerLag(metrics: Metrics): (consumer: string, records: number) => void {
  const lag = metrics.gauge(
    'tidewatch_consumer_lag_records',
    'Records in the partitions of this process that it has not applied, as of its last fetch.',
    ['consumer'],
  );
  return (consumer, records) => lag.set({ consumer }, records);
}
