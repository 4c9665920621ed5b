import { hostname } from 'node:os';
import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { retentionDays } from '@tidewatch/runtime/settings/database-settings';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumerLag } from '@tidewatch/runtime/telemetry/consumer-lag';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import { exposeRewinds } from '@tidewatch/runtime/telemetry/rewinds';
import { StorageBackendError } from '@tidewatch/store/backends/choice';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { openStore, SHARED_WORK_IDLE_MS, type Transaction } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { recordDeadLetters } from '@tidewatch/store/receipts/marks';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import type { processSettings } from './config.ts';
import { createWriter } from './writer.ts';

/** Opens the writer as a process of its own: samples from Kafka into the database. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const clock = Date.now;
  const store = await lifecycle.open(
    'store',
    () =>
      openStore({
        url: config.databaseUrl,
        applicationName: 'tidewatch-writer',
        max: 6,
        idleInTransactionMs: SHARED_WORK_IDLE_MS,
      }),
    (part) => part.close(),
  );
  const { sql, transact } = store;
  const retention = retentionDays(config);
  const backend = await openStorageBackend(sql, retention).catch(refuseStart);
  const directory = new ServiceDirectory({ newId, clock });
  const writer = createWriter({
    directory,
    sql,
    clock,
    metrics,
    logger,
    retention,
    backend,
    holder: `${hostname()}/${process.pid}`,
    hasOtherWriters: true,
    announce: { newEventId: () => newId('evt') },
  });
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-writer',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, ['writer']),
    onRewind: exposeRewinds(metrics, ['writer']),
    recordDeadLetters: (letters) => recordDeadLetters(sql, letters),
  });
  bus.subscribe(TOPICS.samples, writer.consumer);
  await lifecycle.open(
    'writer',
    () => writer.start(),
    () => writer.stop(),
  );
  await lifecycle.open(
    'bus',
    () => bus.start(),
    () => bus.close(),
  );
  return {
    missing: [() => bus.health().reasons, () => ping(sql)],
    degraded: [],
    details: { edition: backend.name },
  };
}

function refuseStart(error: unknown): never {
  throw error instanceof StorageBackendError ? new StartRefusedError(error.message) : error;
}
