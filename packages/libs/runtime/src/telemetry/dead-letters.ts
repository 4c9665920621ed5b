import type { Metrics } from './metrics.ts';

/**
 * The counter of records that were given up; answers who counts one, by the consumer's name. The consumers of this process
 * begin at 0, so that the first one given up is seen as a rise.
 */
export function exposeDeadLetters(
  metrics: Metrics,
  consumers: readonly string[],
): (consumer: string) => void {
  const letters = metrics.counter('tidewatch_dead_letters_total', 'Records given up as poison.', [
    'consumer',
  ]);
  for (const consumer of consumers) letters.inc({ consumer }, 0);
  return (consumer) => letters.inc({ consumer });
}
