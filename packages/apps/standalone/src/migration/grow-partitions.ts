import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { growTopic } from '@tidewatch/bus/kafka/topics/grow-topic';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openStore } from '@tidewatch/database/connection';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { countRests } from '@tidewatch/store/offsets/consumer-rests';
import { readPositions, resizeTopic } from '@tidewatch/store/offsets/topic-partitions';
import type { migrateSettings } from './config.ts';

/** Adds partitions to the topic of samples while every gateway and consumer is stopped. Throws GrowRefusedError. */
export async function growPartitions(
  config: ConfigOf<typeof migrateSettings>,
  partitions: number,
  logger: Logger,
): Promise<void> {
  const prefix = config.kafkaTopicPrefix;
  const topic = `${prefix}${TOPICS.samples}`;
  const { sql, close } = openStore({
    url: config.adminDatabaseUrl,
    max: 1,
    applicationName: 'tidewatch-migrate',
  });
  const admin = openKafka({
    ...readKafkaAccess(config),
    clientId: 'tidewatch-migrate',
    log: (_level, message, fields) => logger.debug({ kafka: fields }, message),
  }).admin();
  try {
    await admin.connect();
    const before = await growTopic({
      admin,
      topic,
      partitions,
      sleep: (ms) => sleep(ms),
      consumers: ['writer', 'evaluator'].map((name) => ({ name, group: `${prefix}tidewatch.${name}` })),
      positions: (consumer) => readPositions(sql, consumer, topic),
      rests: (consumer) => countRests(sql, consumer, topic),
      resize: (count) => resizeTopic(sql, topic, count),
    });
    logger.info({ topic, before, partitions }, 'the topic now has the requested number of partitions');
  } finally {
    await admin.disconnect();
    await close();
  }
}
