import { backoffMs } from '@tidewatch/contracts/time/backoff';
import type { DeadLetter, Transact } from '../attempt.ts';
import { type Bus, BusUnavailableError, type Consumer } from '../bus.ts';
import type { KafkaClient } from './connection.ts';
import { describeKafkaFailure, isKafkaFailure } from './failure.ts';
import { packOne, type TopicFormat } from './format/topic-format.ts';
import { namedPartition } from './named-partition.ts';
import type { OffsetStore } from './position/offset-store.ts';
import { identifyTopic, TopicChangedError } from './position/topic-identity.ts';
import { createPublisher, type Publisher } from './publishing/publisher.ts';
import { sendAcknowledged } from './publishing/send-acknowledged.ts';
import type { TopicReader } from './reading/reader-options.ts';
import { createTopicReader } from './reading/topic-reader.ts';

export interface KafkaTopic {
  format: TopicFormat<unknown>;
  /** The topic of dead letters. Null: a record that no consumer can process stops the consumer instead. */
  deadLetters: string | null;
}

export interface KafkaBusOptions<Tx> {
  kafka: KafkaClient;
  topics: ReadonlyMap<string, KafkaTopic>;
  transact: Transact<Tx>;
  offsets: OffsetStore<Tx>;
  /** A prefix of every topic's name, so that installations can share a cluster. */
  topicPrefix?: string;
  /** A suffix of every consumer group's name, for consumers that read in a separate group. */
  groupSuffix?: string | undefined;
  limits?: Partial<KafkaBusLimits>;
  onDeadLetter?: (letter: DeadLetter) => void;
  /** Records dead letters in the database too; the consumer's position moves past them only once this has resolved. */
  recordDeadLetters?: (letters: readonly DeadLetter[]) => Promise<void>;
  /** Receives the lag of a consumer: the number of records in its partitions that it has not applied. */
  onLag?: (consumer: string, records: number) => void;
  /** Called at the first failure of a series: a consumer's batch was not stored, or Kafka did not accept a record. */
  onFailure?: (who: string, error: unknown) => void;
  /**
   * Called when the log lacks records that a consumer had applied. The consumer continues at `to`, where the log ends or
   * begins to differ.
   */
  onRewind?: (consumer: string, rewind: LogRewind) => void;
  /** Called when a consumer has stopped and does not retry; the reason says what an operator has to do. */
  onStop?: (consumer: string, reason: string) => void;
  sleep?: (ms: number) => Promise<void>;
}

/** A consumer's move back in one partition: `from` the offset that it had reached `to` the offset at which it continues. */
export interface LogRewind {
  topic: string;
  partition: number;
  from: bigint;
  to: bigint;
}

export interface KafkaBusLimits {
  lingerMs: number;
  patienceMs: number;
  recordBytes: number;
  unacknowledgedBytes: number;
}

const DEFAULT_LIMITS: KafkaBusLimits = {
  lingerMs: 25,
  patienceMs: 8_000,
  recordBytes: 64 * 1024,
  // Room for about three million samples that Kafka has not acknowledged.
  unacknowledgedBytes: 16 * 1024 * 1024,
};

/** The max time that close() waits until the consumers of this process have applied the publications of this process, ms. */
const FINISH_WITHIN_MS = 5_000;

const TOPICS_UNKNOWN = 'the topics cannot be looked up';
/** Pauses between attempts to connect. */
const BACKOFF = { minMs: 500, maxMs: 5_000 };

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The bus of the distributed topology: a record is durable once all brokers in sync have it. */
export function openKafkaBus<Tx>(options: KafkaBusOptions<Tx>): Bus<Tx> {
  const { kafka, topics, transact, offsets, sleep = realSleep } = options;
  const { onStop = () => undefined, onFailure = () => undefined } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const topicPrefix = options.topicPrefix ?? '';
  const admin = kafka.admin();
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: () => namedPartition,
    maxInFlightRequests: 1,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
  });
  const subscriptions: { topic: string; consumer: Consumer<unknown, Tx> }[] = [];
  const publishers = new Map<string, Publisher<unknown>>();
  const readers = new Map<string, TopicReader[]>();
  let state: 'new' | 'opening' | 'started' | 'closed' = 'new';
  let obstacle: string | null = null;

  function topicNamed(name: string): KafkaTopic {
    const topic = topics.get(name);
    if (!topic) throw new Error(`the topic ${name} has no format`);
    return topic;
  }

  const readersOf = (name: string): readonly TopicReader[] => readers.get(name) ?? [];

  async function bury(topic: string, letters: readonly DeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    const { deadLetters, format } = topicNamed(topic);
    if (deadLetters === null) throw new Error(`${topic} has no topic for dead letters`);
    const messages = letters.map(({ delivery, consumer, reason }) => ({
      partition: 0,
      value: isRaw(delivery.value) ? delivery.value : packOne(format, delivery.value),
      headers: {
        reason,
        consumer,
        topic: topicPrefix + topic,
        partition: String(delivery.partition),
        offset: String(delivery.offset),
        time: new Date().toISOString(),
      },
    }));
    await sendAcknowledged(producer, topicPrefix + deadLetters, messages);
    await options.recordDeadLetters?.(letters);
    for (const letter of letters) options.onDeadLetter?.(letter);
  }

  function openTopic(name: string, partitions: number): void {
    const topic = topicPrefix + name;
    const { format } = topicNamed(name);
    publishers.set(
      name,
      createPublisher({
        topic,
        partitions,
        format,
        producer,
        ...limits,
        onFailure: (error) => onFailure('publisher', error),
      }),
    );
    for (const { topic: subscribed, consumer } of subscriptions) {
      if (subscribed !== name) continue;
      const reader = createTopicReader({
        kafka,
        admin,
        topic,
        partitions,
        format,
        consumer,
        offsets,
        transact,
        sleep,
        identify: () => identifyTopic({ admin, offsets }, topic),
        groupId: `${topicPrefix}tidewatch.${consumer.name}${options.groupSuffix ?? ''}`,
        bury: (letters) => bury(name, letters),
        onLag: (records) => options.onLag?.(consumer.name, records),
        onFailure: (error) => onFailure(consumer.name, error),
        onRewind: (rewind) => options.onRewind?.(consumer.name, { topic, ...rewind }),
        onStop: (reason) => onStop(consumer.name, reason),
      });
      readers.set(name, [...readersOf(name), reader]);
    }
  }

  async function open(): Promise<void> {
    await admin.connect();
    await producer.connect();
    if (publishers.size === 0) {
      const partitions = new Map<string, number>();
      for (const name of topics.keys())
        partitions.set(name, await identifyTopic({ admin, offsets }, topicPrefix + name));
      // The bus was closed while it was being opened, and everything has been released.
      if (state === 'closed') return;
      for (const [name, count] of partitions) openTopic(name, count);
    }
    state = 'started';
    await Promise.all([...readers.values()].flat().map((reader) => reader.start()));
  }

  /** Tries to open the bus; returns false where the attempt has to be retried. */
  async function tryOpen(): Promise<boolean> {
    try {
      await open();
      obstacle = null;
      return true;
    } catch (error) {
      const changed = error instanceof TopicChangedError;
      if (changed) onStop('bus', error.message);
      else if (obstacle === null) onFailure('bus', error);
      if (changed) obstacle = error.message;
      else obstacle = isKafkaFailure(error) ? describeKafkaFailure(error) : TOPICS_UNKNOWN;
      return changed;
    }
  }

  async function keepOpening(): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      await sleep(backoffMs(failures, BACKOFF, 1));
      if (state === 'closed' || (await tryOpen())) return;
    }
  }

  return {
    async publish(name, messages, { receipt = false } = {}) {
      const publisher = publishers.get(name);
      if (state !== 'started' || !publisher) {
        const reason = state === 'closed' ? 'it is closing' : (obstacle ?? 'it has not started');
        throw new BusUnavailableError(reason, 2);
      }
      // Returns the promise without awaiting it, so that this function's frame does not keep the messages in memory.
      return publisher.publish(messages, receipt).then((records) => records && { records });
    },
    subscribe(topic, consumer) {
      if (state !== 'new') throw new Error('subscribe before start');
      topicNamed(topic);
      subscriptions.push({ topic, consumer: consumer as Consumer<unknown, Tx> });
    },
    async start() {
      state = 'opening';
      if (!(await tryOpen())) void keepOpening();
    },
    health() {
      const reasons: string[] = [];
      if (state === 'closed') reasons.push('closing the connection to Kafka');
      else if (obstacle !== null) reasons.push(obstacle);
      else if (state !== 'started') reasons.push('connecting to Kafka');
      for (const [name, publisher] of publishers) {
        if (publisher.failure() !== null) reasons.push(`${name}: Kafka accepts no records`);
      }
      for (const name of readers.keys()) {
        for (const reader of readersOf(name)) {
          const failure = reader.failure();
          if (failure !== null) reasons.push(`${name}: ${failure}`);
        }
      }
      return { ok: state === 'started' && reasons.length === 0, reasons };
    },
    async close() {
      state = 'closed';
      for (const [name, publisher] of publishers) {
        await publisher.close();
        for (const reader of readersOf(name)) await reader.reach(publisher.published(), FINISH_WITHIN_MS);
      }
      await Promise.all([...readers.values()].flat().map((reader) => reader.stop()));
      await producer.disconnect();
      await admin.disconnect();
    },
  };
}

/** Returns true for a value that could not be decoded: the bytes of its record, or null for a record without a value. */
function isRaw(value: unknown): value is Buffer | null {
  return value === null || Buffer.isBuffer(value);
}
