import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { openStore, SHARED_WORK_IDLE_MS, type Transaction } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { logFaults } from '@tidewatch/destinations/log-faults';
import { createSender } from '@tidewatch/destinations/sender';
import { environmentOf } from '@tidewatch/runtime/process/backend-service';
import type { OwnProcess, ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumption } from '@tidewatch/runtime/telemetry/consumption';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import type { processSettings } from './config.ts';
import { MAX_MISSED_PROBES } from './heartbeat/probe-watch.ts';
import { createWriterProgress } from './heartbeat/writer-progress.ts';
import { openNotifier } from './open-notifier.ts';

/** The notifier as a process of its own: on a database and Kafka. */
export async function openOwnProcess(parts: ServiceParts<typeof processSettings>): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const environment = environmentOf(parts);
  const { clock } = environment;
  const { sql, transact } = await lifecycle.openClosable('store', () =>
    openStore({
      url: config.databaseUrl,
      applicationName: 'tidewatch-notifier',
      max: 8,
      idleInTransactionMs: SHARED_WORK_IDLE_MS,
    }),
  );
  const sender = await lifecycle.openClosable('sender', () =>
    createSender({ ...readDestinationOptions(config), clock, ...logFaults(logger) }),
  );
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-notifier',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    ...exposeConsumption(metrics, 'notifier'),
  });
  const maxMissedMs = MAX_MISSED_PROBES * config.probeSeconds * 1_000;
  const service = openNotifier({
    ...environment,
    bus,
    config,
    sql,
    secrets: createSecretBox(config.secretKey),
    sender,
    isWriterMoving: createWriterProgress(sql, config.kafkaTopicPrefix, clock, maxMissedMs),
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    bus,
    missing: { bus: () => bus.health().reasons, database: () => ping(sql) },
  };
}
