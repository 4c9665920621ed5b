import type { Kafka } from 'kafkajs';
import type { DeadLetter, Transact } from '../attempt.ts';
import { type Bus, BusUnavailableError, type Consumer, type Receipt } from '../bus.ts';
import type { OffsetStore } from './offset-store.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import type { TopicFormat } from './topic-format.ts';
import { createTopicReader, type TopicReader } from './topic-reader.ts';

export interface KafkaTopic {
  format: TopicFormat<unknown>;
  /** Where records go that no consumer can take; null: they stop the consumer instead. */
  deadLetters: string | null;
}

export interface KafkaBusOptions<Tx> {
  kafka: Kafka;
  topics: ReadonlyMap<string, KafkaTopic>;
  transact: Transact<Tx>;
  offsets: OffsetStore<Tx>;
  /** Put before the names of topics, so that installations can share a cluster. */
  topicPrefix?: string;
  limits?: Partial<KafkaBusLimits>;
  onDeadLetter?: (letter: DeadLetter) => void;
  /** A consumer's batch could not be stored, or Kafka did not take a record; told when that begins. */
  onFailure?: (who: string, error: unknown) => void;
  /** A consumer has stopped for good; the reason says what to do. */
  onStop?: (consumer: string, reason: string) => void;
  sleep?: (ms: number) => Promise<void>;
}

export interface KafkaBusLimits {
  lingerMs: number;
  patienceMs: number;
  recordBytes: number;
  queuedBytes: number;
}

const DEFAULT_LIMITS: KafkaBusLimits = {
  lingerMs: 4,
  patienceMs: 8_000,
  recordBytes: 64 * 1024,
  queuedBytes: 64 * 1024 * 1024,
};

/** How long close() waits for our own publications to be applied by our own consumers, ms. */
const FINISH_WITHIN_MS = 5_000;

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The bus of the distributed topology: a record is durable once all brokers in sync have it. */
export function openKafkaBus<Tx>(options: KafkaBusOptions<Tx>): Bus<Tx> {
  const { kafka, topics, transact, offsets, sleep = realSleep, onStop = () => undefined } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const topicPrefix = options.topicPrefix ?? '';
  const admin = kafka.admin();
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // Every message names its partition; the client only wants to be told of a partitioner.
    createPartitioner: () => () => 0,
    maxInFlightRequests: 1,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
  });
  const subscriptions: { topic: string; consumer: Consumer<unknown, Tx> }[] = [];
  const publishers = new Map<string, Publisher<unknown>>();
  const readers = new Map<string, TopicReader[]>();
  let state: 'new' | 'started' | 'closed' = 'new';

  function topicNamed(name: string): KafkaTopic {
    const topic = topics.get(name);
    if (!topic) throw new Error(`the topic ${name} has no format`);
    return topic;
  }

  const readersOf = (name: string): readonly TopicReader[] => readers.get(name) ?? [];

  /** Compares the topic with what the store remembers of it. */
  async function identify(name: string, clusterId: string, partitions: number): Promise<void> {
    const known = await offsets.remember(name, { clusterId, partitions });
    if (known.clusterId !== clusterId) {
      throw new TopicChangedError(
        `${name} was read from the cluster ${known.clusterId}, and this is ${clusterId}. ${REMEDY}`,
      );
    }
    if (known.partitions !== partitions) {
      throw new TopicChangedError(
        `${name} had ${known.partitions} partitions when it was read before, and has ${partitions} now. ${REMEDY}`,
      );
    }
  }

  async function bury(topic: string, letters: readonly DeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    const { deadLetters, format } = topicNamed(topic);
    if (deadLetters === null) throw new Error(`${topic} has no topic for dead letters`);
    const messages = letters.map(({ delivery, consumer, reason }) => ({
      partition: 0,
      value: Buffer.isBuffer(delivery.value) ? delivery.value : format.encode([delivery.value]),
      headers: {
        reason,
        consumer,
        topic: topicPrefix + topic,
        partition: String(delivery.partition),
        offset: String(delivery.offset),
        time: new Date().toISOString(),
      },
    }));
    await producer.send({ topic: topicPrefix + deadLetters, acks: -1, messages });
    for (const letter of letters) options.onDeadLetter?.(letter);
  }

  async function openTopic(name: string, clusterId: string): Promise<void> {
    const topic = topicPrefix + name;
    const { topics: found } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = found[0]?.partitions.length ?? 0;
    if (partitions === 0) throw new Error(`the topic ${topic} does not exist; the migration step creates it`);
    await identify(topic, clusterId, partitions);
    const { format } = topicNamed(name);
    publishers.set(
      name,
      createPublisher({
        ...{ topic, partitions, format, producer, ...limits },
        onFailure: (error) => options.onFailure?.('publisher', error),
      }),
    );
    for (const { topic: subscribed, consumer } of subscriptions) {
      if (subscribed !== name) continue;
      const reader = createTopicReader({
        ...{ kafka, admin, topic, partitions, format, consumer, offsets, transact, sleep },
        groupId: `${topicPrefix}tidewatch.${consumer.name}`,
        bury: (letters) => bury(name, letters),
        onFailure: (error) => options.onFailure?.(consumer.name, error),
        onStop: (reason) => onStop(consumer.name, reason),
      });
      readers.set(name, [...readersOf(name), reader]);
    }
  }

  return {
    async publish(name, messages) {
      const publisher = publishers.get(name);
      if (state !== 'started' || !publisher) {
        throw new BusUnavailableError(state === 'closed' ? 'it is closing' : 'it has not started', 2);
      }
      await publisher.publish(messages);
      const receipt: Receipt = { topic: name, partition: null, offset: null, transaction: null };
      return receipt;
    },
    subscribe(topic, consumer) {
      if (state !== 'new') throw new Error('subscribe before start');
      topicNamed(topic);
      subscriptions.push({ topic, consumer: consumer as Consumer<unknown, Tx> });
    },
    async start() {
      await admin.connect();
      await producer.connect();
      const { clusterId } = await admin.describeCluster();
      for (const name of topics.keys()) await openTopic(name, clusterId);
      state = 'started';
      await Promise.all([...readers.values()].flat().map((reader) => reader.start()));
    },
    health() {
      const reasons: string[] = [];
      for (const [name, publisher] of publishers) {
        if (publisher.failure() !== null) reasons.push(`${name}: Kafka takes nothing at the moment`);
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

/** The topic is not the one that the store knows; nothing is read or written until somebody decides. */
export class TopicChangedError extends Error {
  override name = 'TopicChangedError';
}

const REMEDY = 'See "A topic that changed" in docs/operations.md.';
