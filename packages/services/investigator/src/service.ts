import { hostname } from 'node:os';
import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { retentionMs } from '@tidewatch/runtime/settings/database-settings';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumerLag } from '@tidewatch/runtime/telemetry/consumer-lag';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import { exposeRewinds } from '@tidewatch/runtime/telemetry/rewinds';
import type { Transaction } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import type { processSettings } from './config.ts';
import { openInvestigator } from './open-investigator.ts';

/** Opens the investigator as its own process: it consumes events from Kafka and stores everything else in the database. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const { investigator, store } = await openInvestigator({
    lifecycle,
    config,
    logger,
    metrics,
    clock: Date.now,
    database: { url: config.databaseUrl },
    holder: `${hostname()}/${process.pid}`,
    retention: retentionMs(config),
    publicUrl: config.publicUrl ?? null,
  });
  const { sql, transact } = store;
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-investigator',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, ['investigator']),
    onRewind: exposeRewinds(metrics, ['investigator']),
  });
  bus.subscribe(TOPICS.events, investigator.consumer);
  await lifecycle.open('runs', investigator.start, investigator.stop);
  await lifecycle.open(
    'bus',
    () => bus.start(),
    () => bus.close(),
  );
  return {
    missing: [() => bus.health().reasons, () => ping(sql), () => investigator.reasons()],
    degraded: [],
  };
}
