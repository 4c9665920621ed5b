import type { Metrics } from './metrics.ts';

/**
 * The counter of records that consumers had applied and the log has lost since; answers who counts them, by the consumer's
 * name. The consumers of this process begin at 0, so that the first loss is seen as a rise.
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
