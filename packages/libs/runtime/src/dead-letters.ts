import type { Metrics } from './metrics.ts';

/** The counter of records that were given up; answers who counts one, by the consumer's name. */
export function exposeDeadLetters(metrics: Metrics): (consumer: string) => void {
  const letters = metrics.counter('tidewatch_dead_letters_total', 'Records given up as poison.', [
    'consumer',
  ]);
  return (consumer) => letters.inc({ consumer });
}
