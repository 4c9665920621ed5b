import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import { createSender } from '@tidewatch/destinations/sender';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import { readHeartbeat } from '@tidewatch/runtime/settings/heartbeat-settings';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumerLag } from '@tidewatch/runtime/telemetry/consumer-lag';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import { exposeRewinds } from '@tidewatch/runtime/telemetry/rewinds';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import { openStore, SHARED_WORK_IDLE_MS, type Transaction } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { createChannelSource } from './channel-source.ts';
import type { processSettings } from './config.ts';
import { MAX_MISSED_PROBES } from './heartbeat/probe-watch.ts';
import { createWriterProgress } from './heartbeat/writer-progress.ts';
import { createNotifier } from './notifier.ts';

/** Opens the notifier as a process of its own: consumes events from Kafka, queues notifications in the database, delivers them. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const clock = Date.now;
  const store = await lifecycle.open(
    'store',
    () =>
      openStore({
        url: config.databaseUrl,
        applicationName: 'tidewatch-notifier',
        max: 8,
        idleInTransactionMs: SHARED_WORK_IDLE_MS,
      }),
    (part) => part.close(),
  );
  const { sql, transact } = store;
  const secrets = createSecretBox(config.secretKey);
  const sender = await lifecycle.open(
    'sender',
    () =>
      createSender({
        ...readDestinationOptions(config),
        clock,
        onFault: (error) => logger.error({ err: error }, 'a message could not be built'),
        onUnusableName: ({ message, reason }) => logger.warn({ reason }, message),
      }),
    (part) => part.close(),
  );
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-notifier',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, ['notifier']),
    onRewind: exposeRewinds(metrics, ['notifier']),
  });
  const notifier = createNotifier({
    sql,
    clock,
    newId,
    random: Math.random,
    sender,
    metrics,
    logger,
    ...createChannelSource(sql, secrets),
    publicUrl: config.publicUrl ?? null,
    ...readHeartbeat(config),
    groupedForMs: config.groupSeconds * 1_000,
    isWriterMoving: createWriterProgress(
      sql,
      config.kafkaTopicPrefix,
      clock,
      MAX_MISSED_PROBES * config.probeSeconds * 1_000,
    ),
  });
  bus.subscribe(TOPICS.events, notifier.consumer);
  await lifecycle.open('delivery', notifier.start, notifier.stop);
  await lifecycle.open(
    'bus',
    () => bus.start(),
    () => bus.close(),
  );
  return {
    missing: [() => bus.health().reasons, () => ping(sql), () => notifier.reasons()],
    degraded: [secretKeyProbe(sql, secrets)],
  };
}
