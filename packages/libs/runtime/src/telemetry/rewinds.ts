import type { Metrics } from './metrics.ts';

/**
 * Registers the counter of applied records that the log has lost; returns a function that counts them, by the consumer's
 * name. Counters of this process' consumers start at 0, so that the first loss shows as an increase.
 */
export function exposeRewinds(
  metrics: Metrics,
  consumers: readonly string[],
): (consumer: string, records: number) => void {
  const lost = metrics.counter(
    'tidewatch_log_lost_records_total',
    'Records that were applied and that the log has lost since.',
    ['consumer'],
  );
  for (const consumer of consumers) lost.inc({ consumer }, 0);
  return (consumer, records) => lost.inc({ consumer }, records);
}
