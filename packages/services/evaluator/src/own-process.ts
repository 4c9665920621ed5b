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
import { openEvaluator } from './open-evaluator.ts';

/**
 * How long the evaluator waits for the writer to create a host: the fetches of both may differ by some time, and the
 * writer's transaction takes time.
 */
const LEFT_TO_WRITER_MS = 400;

/**
 * Opens the parts of an evaluator process: it shares database and Kafka with writers and other evaluators. `groupSuffix` is
 * appended to the name of its consumer group.
 */
export async function openOwnProcess(
  parts: ServiceParts<typeof processSettings>,
  groupSuffix?: string,
): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const environment = environmentOf(parts);
  const { sql, transact } = await lifecycle.openClosable('store', () =>
    openStore({
      url: config.databaseUrl,
      applicationName: 'tidewatch-evaluator',
      max: 6,
      idleInTransactionMs: SHARED_WORK_IDLE_MS,
    }),
  );
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-evaluator',
    topicPrefix: config.kafkaTopicPrefix,
    groupSuffix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    ...exposeConsumption(metrics, 'evaluator'),
    recordDeadLetters: (letters) => recordDeadLetters(sql, letters),
  });
  const { clock } = environment;
  const service = openEvaluator({
    ...environment,
    bus,
    config,
    sql,
    directory: new ServiceDirectory({ newId, clock, creationDelayMs: LEFT_TO_WRITER_MS }),
    awaitsAssignment: true,
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    bus,
    missing: { bus: () => bus.health().reasons, database: () => ping(sql) },
  };
}
