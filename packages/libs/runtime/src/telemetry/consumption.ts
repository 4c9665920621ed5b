import { exposeConsumerLag } from './consumer-lag.ts';
import { exposeDeadLetters } from './dead-letters.ts';
import type { Metrics } from './metrics.ts';
import { exposeRewinds } from './rewinds.ts';

/** Registers the metrics of a consumer that reads a log; returns the bus listeners that update them. */
export function exposeConsumption(metrics: Metrics, consumer: string) {
  return {
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, [consumer]),
    onRewind: exposeRewinds(metrics, [consumer]),
  };
}
