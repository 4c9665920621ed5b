import { resolve } from 'node:path';
import { type ConfigOf, setting } from '@tidewatch/runtime/settings/config';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { kafkaTopicSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { keySettings } from '@tidewatch/runtime/settings/key-settings';
import { foreignIngestSettings } from '@tidewatch/runtime/settings/limit-settings';
import { processSettings } from '@tidewatch/runtime/settings/process-settings';
import { ownSecretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';
import { z } from 'zod';

/** The settings of the stack itself; every other TIDEWATCH_ variable is passed to the services. */
export const stackSettings = {
  host: httpSettings.host,
  port: httpSettings.port,
  otlpGrpcPort: foreignIngestSettings.otlpGrpcPort,
  kafkaPartitions: kafkaTopicSettings.kafkaPartitions,
  dataDirectory: setting({
    env: 'TIDEWATCH_DATA_DIR',
    schema: z
      .string()
      .default('.tidewatch-stack')
      .transform((path) => resolve(path)),
    meaning: 'Folder of everything that is kept: data, logs and stack.json.',
    default: '.tidewatch-stack',
    example: '/var/lib/tidewatch-stack',
  }),
  ...keySettings,
  ...ownSecretKeySettings,
  logLevel: processSettings.logLevel,
  kafkaBrokers: setting({
    env: 'TIDEWATCH_TEST_KAFKA_BROKERS',
    schema: z.string().optional(),
    meaning: 'Brokers that are there already, in place of one of our own.',
    example: '127.0.0.1:9092',
  }),
  databaseUrl: setting({
    env: 'TIDEWATCH_TEST_POSTGRES_URL',
    schema: z.string().optional(),
    meaning: 'A database that is there already, as a superuser, in place of one of our own.',
    example: 'postgres://postgres:secret@127.0.0.1:5432/tidewatch',
    secret: true,
  }),
  sampleLayout: setting({
    env: 'TIDEWATCH_TEST_SAMPLE_LAYOUT',
    schema: z.enum(['rows', 'log']).optional(),
    meaning: 'How a new database keeps samples, if not as new databases of the product do.',
    example: 'rows',
  }),
  sealIntervalMs: setting({
    env: 'TIDEWATCH_TEST_SEAL_MS',
    schema: z.coerce.number().int().positive().optional(),
    meaning: 'How often writers seal a log of samples, ms.',
    example: '3000',
  }),
  redisUrl: setting({
    env: 'TIDEWATCH_TEST_REDIS_URL',
    schema: z.string().optional(),
    meaning: 'Redis or Valkey that is there already, in place of one of our own.',
    example: 'redis://127.0.0.1:6379',
    secret: true,
  }),
};

export type StackConfig = ConfigOf<typeof stackSettings>;
