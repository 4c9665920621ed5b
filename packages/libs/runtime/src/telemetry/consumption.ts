import { exposeConsumerLag } from './consumer-lag.ts';
import { exposeDeadLetters } from './dead-letters.ts';
import type { Metrics } from './metrics.ts';
import { exposeRewinds } from './rewinds.ts';

/** Registers what is counted of a consumer that reads a log; answers the listeners of the bus. */
export function exposeConsumption(metrics: Metrics, consumer: string) {
  return {
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, [consumer]),
    onRewind: exposeRewinds(metrics, [consumer]),
  };
}
