import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { DeadLetter, Transact } from '../attempt.ts';
import type { Bus } from '../bus.ts';
import { type KafkaConnectionOptions, openKafka } from './connection.ts';
import { describeKafkaFailure, isKafkaFailure } from './failure.ts';
import { createJsonFormat } from './format/json-format.ts';
import { createSampleFormat } from './format/sample-format.ts';
import type { TopicFormat } from './format/topic-format.ts';
import { type KafkaTopic, openKafkaBus } from './kafka-bus.ts';
import type { OffsetStore } from './position/offset-store.ts';

/** Payloads of one partition share a record up to this size, bytes. */
const RECORD_BYTES = 64 * 1024;

export interface ProductBusOptions<Tx> {
  access: Pick<KafkaConnectionOptions, 'brokers' | 'tls' | 'sasl'>;
  clientId: string;
  topicPrefix: string;
  /** A suffix of every consumer group's name, for a consumer that reads in a group of its own. */
  groupSuffix?: string | undefined;
  transact: Transact<Tx>;
  offsets: OffsetStore<Tx>;
  /** Receives the lag of a consumer of this process: records of its partitions that it has not applied. */
  onLag?: (consumer: string, records: number) => void;
  /** Called for each dead letter of a consumer of this process. */
  onDeadLetter?: (consumer: string) => void;
  /** Receives how many records the log has lost that a consumer of this process had applied. */
  onRewind?: (consumer: string, records: number) => void;
  /** Marks the receipts of dead letters. */
  recordDeadLetters?: (letters: readonly DeadLetter[]) => Promise<void>;
  logger: Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', (fields: object, message: string) => void>;
}

/** The topics of Tidewatch in Kafka, with their record formats. */
export function productTopics(): Map<string, KafkaTopic> {
  return new Map<string, KafkaTopic>([
    [
      TOPICS.samples,
      {
        format: createSampleFormat(RECORD_BYTES) as TopicFormat<unknown>,
        deadLetters: TOPICS.samplesDeadLetter,
      },
    ],
    [TOPICS.events, { format: createJsonFormat(), deadLetters: TOPICS.eventsDeadLetter }],
  ]);
}

/** Opens the bus of a backend service in the distributed topology. */
export function openProductBus<Tx>(options: ProductBusOptions<Tx>): Bus<Tx> {
  const { access, clientId, topicPrefix, transact, offsets, logger } = options;
  // Kafka's client retries by itself, so its errors are logged as warnings, and its progress at debug level.
  const quiet = { error: 'warn', warn: 'warn', info: 'debug', debug: 'debug' } as const;
  const kafka = openKafka({
    ...access,
    clientId,
    log: (level, message, fields) => logger[quiet[level]]({ kafka: fields }, message),
  });
  return openKafkaBus<Tx>({
    kafka,
    topics: productTopics(),
    topicPrefix,
    groupSuffix: options.groupSuffix,
    transact,
    offsets,
    limits: { recordBytes: RECORD_BYTES },
    ...(options.onLag && { onLag: options.onLag }),
    ...(options.recordDeadLetters && { recordDeadLetters: options.recordDeadLetters }),
    onDeadLetter({ consumer, reason, delivery: { topic, partition, offset } }) {
      options.onDeadLetter?.(consumer);
      logger.error(
        { consumer, reason, topic, partition, offset: String(offset) },
        'a record became a dead letter',
      );
    },
    onRewind(consumer, { topic, partition, from, to }) {
      options.onRewind?.(consumer, Number(from - to));
      logger.warn(
        { consumer, topic, partition, from: String(from), to: String(to), records: Number(from - to) },
        'the log has lost records that are stored already; continuing at its end or at the first record that differs',
      );
    },
    onFailure: (who, error) =>
      isKafkaFailure(error)
        ? logger.warn(
            { who, reason: describeKafkaFailure(error), err: error },
            'a request to Kafka failed; retrying',
          )
        : logger.warn({ who, err: error }, 'a consumer or publisher failed; retrying'),
    onStop: (consumer, reason) =>
      logger.fatal({ consumer, reason }, 'a consumer has stopped and needs an operator'),
  });
}
