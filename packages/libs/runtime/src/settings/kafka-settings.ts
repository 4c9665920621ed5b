import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ConfigOf, onOff, setting, wholeNumber } from './config.ts';
import { ConfigError } from './config-error.ts';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** The settings of every process that talks to Kafka. */
export const kafkaSettings = {
  kafkaBrokers: setting({
    env: 'TIDEWATCH_KAFKA_BROKERS',
    schema: z
      .string()
      .transform((text) => text.split(',').map((broker) => broker.trim()))
      .pipe(
        z
          .array(z.string().regex(/^[^\s:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'must be host:port'))
          .min(1),
      ),
    meaning: 'Brokers to begin with, host:port, separated by commas.',
    example: 'kafka-1:9092,kafka-2:9092',
  }),
  kafkaTopicPrefix: setting({
    env: 'TIDEWATCH_KAFKA_TOPIC_PREFIX',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9._-]{0,100}$/, 'may have letters, digits, dots, dashes and underscores')
      .default(''),
    meaning: 'Put before the names of topics and consumer groups, so that installations can share a cluster.',
    default: 'nothing',
    example: 'staging.',
  }),
  kafkaTls: setting({
    env: 'TIDEWATCH_KAFKA_TLS',
    schema: onOff().default(false),
    meaning: 'Whether the brokers are reached by TLS.',
    example: 'on',
  }),
  kafkaTlsCaFile: setting({
    env: 'TIDEWATCH_KAFKA_TLS_CA_FILE',
    schema: z.string().optional(),
    meaning: "Authorities to trust in place of the system's, PEM.",
    example: '/etc/tidewatch/kafka-ca.crt',
  }),
  kafkaSaslMechanism: setting({
    env: 'TIDEWATCH_KAFKA_SASL_MECHANISM',
    schema: z.enum(MECHANISMS).optional(),
    meaning: `How to log in: ${MECHANISMS.join(', ')}.`,
    example: 'scram-sha-512',
  }),
  kafkaSaslUsername: setting({
    env: 'TIDEWATCH_KAFKA_SASL_USERNAME',
    schema: z.string().optional(),
    meaning: 'User of the login.',
    example: 'tidewatch',
  }),
  kafkaSaslPassword: setting({
    env: 'TIDEWATCH_KAFKA_SASL_PASSWORD',
    schema: z.string().optional(),
    meaning: 'Password of the login.',
    example: 'a secret',
    secret: true,
  }),
};

/** The settings of the step that creates the topics. */
export const kafkaTopicSettings = {
  kafkaPartitions: setting({
    env: 'TIDEWATCH_KAFKA_PARTITIONS',
    schema: wholeNumber(1, 1_000).default(24),
    meaning: 'Partitions of the topic of samples; as many writers and evaluators can share the work.',
    example: '48',
  }),
  kafkaRetentionHours: setting({
    env: 'TIDEWATCH_KAFKA_RETENTION_HOURS',
    schema: wholeNumber(1, 8_760).default(72),
    meaning: 'How long records are kept, in hours: consumers may be away for so long.',
    example: '168',
  }),
};

export interface KafkaAccess {
  brokers: string[];
  tls?: true | { ca: string };
  sasl?: { mechanism: (typeof MECHANISMS)[number]; username: string; password: string };
}

/** Returns how to connect to Kafka, from the settings. Throws ConfigError if they contradict each other. */
export function readKafkaAccess(config: ConfigOf<typeof kafkaSettings>): KafkaAccess {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config;
  const given = [mechanism, username, password].filter((value) => value !== undefined).length;
  if (given !== 0 && given !== 3) {
    throw new ConfigError(
      'TIDEWATCH_KAFKA_SASL_MECHANISM, _USERNAME and _PASSWORD belong together: give all three or none',
    );
  }
  return {
    brokers: config.kafkaBrokers,
    ...(config.kafkaTls && { tls: readAuthorities(config.kafkaTlsCaFile) }),
    ...(mechanism && { sasl: { mechanism, username: username as string, password: password as string } }),
  };
}

function readAuthorities(file: string | undefined): true | { ca: string } {
  if (file === undefined) return true;
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch (error) {
    throw new ConfigError(
      `TIDEWATCH_KAFKA_TLS_CA_FILE: ${(error as NodeJS.ErrnoException).code}, cannot read ${file}`,
    );
  }
}
