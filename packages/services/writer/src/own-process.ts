import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, SHARED_WORK_IDLE_MS, type Transaction } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { environmentOf } from '@tidewatch/runtime/process/backend-service';
import type { OwnProcess, ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumption } from '@tidewatch/runtime/telemetry/consumption';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { recordDeadLetters } from '@tidewatch/store/receipts/marks';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import type { processSettings } from './config.ts';
import { openWriter, type WriterEnvironment } from './open-writer.ts';

/** What a program around the writer may change, beside its settings. */
export interface OwnProcessOptions extends Pick<WriterEnvironment, 'sealIntervalMs'> {
  /** Appended to the name of the consumer group. */
  groupSuffix?: string;
}

/** Opens the parts of a writer process, which shares database and Kafka with evaluators and other writers. */
export async function openOwnProcess(
  parts: ServiceParts<typeof processSettings>,
  { groupSuffix, sealIntervalMs }: OwnProcessOptions = {},
): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const environment = environmentOf(parts);
  const { sql, transact } = await lifecycle.openClosable('store', () =>
    openStore({
      url: config.databaseUrl,
      applicationName: 'tidewatch-writer',
      max: 6,
      idleInTransactionMs: SHARED_WORK_IDLE_MS,
    }),
  );
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-writer',
    topicPrefix: config.kafkaTopicPrefix,
    groupSuffix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    ...exposeConsumption(metrics, 'writer'),
    recordDeadLetters: (letters) => recordDeadLetters(sql, letters),
  });
  const service = await openWriter({
    ...environment,
    bus,
    config,
    sql,
    directory: new ServiceDirectory({ newId, clock: environment.clock }),
    hasOtherWriters: true,
    sealIntervalMs,
    announce: { newEventId: () => newId('evt') },
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    bus,
    missing: { bus: () => bus.health().reasons, database: () => ping(sql) },
  };
}
