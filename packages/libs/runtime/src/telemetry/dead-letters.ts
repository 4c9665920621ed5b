import type { Metrics } from './metrics.ts';

/**
 * Registers the counter of dead letters; returns a function that counts one, by the consumer's name. Counters of this
 * process' consumers start at 0, so that the first dead letter shows as an increase.
 */
export function exposeDeadLetters(
  metrics: Metrics,
  consumers: readonly string[],
): (consumer: string) => void {
  const letters = metrics.counter('tidewatch_dead_letters_total', 'Records that became dead letters.', [
    'consumer',
  ]);
  for (const consumer of consumers) letters.inc({ consumer }, 0);
  return (consumer) => letters.inc({ consumer });
}
