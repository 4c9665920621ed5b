import type { Bus } from '@tidewatch/bus/bus';
import { openInProcessBus } from '@tidewatch/bus/in-process';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import type { Store, Transaction } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import { transactionId } from '@tidewatch/store/receipts/transaction-id';

export interface BusOptions extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger'> {
  store: Pick<Store, 'transact' | 'transactReading'>;
}

const CONSUMERS = ['writer', 'evaluator', 'notifier', 'investigator'];

/** Opens the bus of the single process, in which a publication is durable once its consumers have committed. */
export function openBus({ store, clock, metrics, logger }: BusOptions): Bus<Transaction> {
  const countDeadLetter = exposeDeadLetters(metrics, CONSUMERS);
  return openInProcessBus<Transaction>({
    transact: store.transact,
    // The transactions of writer and evaluator begin with a select, which reads the changes since their last
    // transaction.
    transactFor: { [TOPICS.samples]: store.transactReading },
    identify: transactionId,
    clock,
    weigh,
    // An event counts as published only once the notifier has planned its notifications, because this bus stores nothing.
    synchronousTopics: [TOPICS.samples, TOPICS.events],
    onDeadLetter({ consumer, reason, delivery: { topic, key } }) {
      countDeadLetter(consumer);
      logger.error({ consumer, reason, topic, of: key }, 'a record became a dead letter');
    },
  });
}

/** Returns the number of samples in a message, by which the bus limits its queues. */
function weigh(value: unknown): number {
  const record = value as SampleRecord;
  let samples = 1;
  if (record.kind === 'samples') {
    for (const payload of record.payloads) {
      const { metrics, containers, parts, processCounts } = payload;
      samples += metrics.length + 4 * (containers?.length ?? 0);
      samples += (parts?.values.length ?? 0) + (processCounts?.names.length ?? 0);
    }
  }
  return samples;
}
