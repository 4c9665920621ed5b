import type { DeadLetter, Transact } from './attempt.ts';
import {
  type Bus,
  BusUnavailableError,
  type Consumer,
  type Delivery,
  type Message,
  type Receipt,
} from './bus.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

export interface InProcessBusOptions<Tx> {
  transact: Transact<Tx>;
  /** For some topics, by name: the transaction function that their consumers share, used instead of `transact`. */
  transactFor?: Readonly<Record<string, Transact<Tx>>>;
  /** Returns the id of a transaction for receipts; without this function no receipts are given. */
  identify?: (tx: Tx) => Promise<string>;
  /** Returns the current time, milliseconds since the epoch. */
  clock: () => number;
  /** Topics whose publish resolves only when all consumers have committed, in one transaction. */
  synchronousTopics: readonly string[];
  /** Returns the weight of a message against the limits, such as its number of samples. 1 by default. */
  weigh?: (value: unknown) => number;
  limits?: Partial<InProcessBusLimits>;
  onDeadLetter?: (letter: DeadLetter) => void;
  sleep?: (ms: number) => Promise<void>;
}

export interface InProcessBusLimits {
  /** The max number and weight of publications that wait for a transaction; `publish` throws beyond them. */
  queuedPublications: number;
  queuedWeight: number;
  /** The max weight of one transaction; a heavier publication gets a transaction of its own. */
  groupWeight: number;
  /** The max number of deliveries that wait for one consumer of a topic that is not synchronous. */
  queuedDeliveries: number;
  groupDeliveries: number;
  /** The time that all attempts of one group may take together, ms. */
  patienceMs: number;
}

const DEFAULT_LIMITS: InProcessBusLimits = {
  queuedPublications: 20_000,
  queuedWeight: 2_000_000,
  groupWeight: 200_000,
  queuedDeliveries: 20_000,
  groupDeliveries: 500,
  patienceMs: 5_000,
};

interface Topic<Tx> {
  nextOffset: bigint;
  consumers: Consumer<unknown, Tx>[];
  group: GroupCommit | null;
  fans: FanOut[];
}

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Opens the bus of the embedded topology. It has no log: a message is durable once the store's transaction has committed. */
export function openInProcessBus<Tx>(options: InProcessBusOptions<Tx>): Bus<Tx> {
  const { transact, clock, weigh = () => 1, sleep = realSleep, onDeadLetter = () => undefined } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const topics = new Map<string, Topic<Tx>>();
  let state: 'new' | 'started' | 'closed' = 'new';

  function topicNamed(name: string): Topic<Tx> {
    let topic = topics.get(name);
    if (topic === undefined) {
      topic = { nextOffset: 0n, consumers: [], group: null, fans: [] };
      topics.set(name, topic);
    }
    return topic;
  }

  function toDeliveries(
    name: string,
    topic: Topic<Tx>,
    messages: readonly Message<unknown>[],
  ): Delivery<unknown>[] {
    const publishedAt = clock();
    return messages.map(({ key, value }) => {
      const offset = topic.nextOffset;
      topic.nextOffset += 1n;
      return { topic: name, partition: 0, offset, key, value, publishedAt };
    });
  }

  /** Resolves once the transaction of all consumers has committed. */
  function publishInGroup(
    name: string,
    topic: Topic<Tx>,
    group: GroupCommit,
    messages: readonly Message<unknown>[],
    receipt: boolean,
  ): Promise<Receipt | null> {
    let weight = 0;
    for (const { value } of messages) weight += weigh(value);
    return new Promise((resolve, reject) => {
      group.accept({
        deliveries: toDeliveries(name, topic, messages),
        key: messages[0]?.key ?? '',
        weight,
        identified: receipt,
        resolve: (transaction) => resolve(transaction === null ? null : { transaction }),
        reject,
      });
    });
  }

  /** Puts the messages into the queue of each consumer. */
  async function publishToFans(name: string, messages: readonly Message<unknown>[]): Promise<null> {
    if (state !== 'started')
      throw new BusUnavailableError(state === 'new' ? 'it has not started' : 'it is closing', 2);
    if (messages.length === 0) return null;
    const topic = topicNamed(name);
    if (!topic.fans.every((fan) => fan.hasRoom(messages.length)))
      throw new BusUnavailableError('too much is waiting for a consumer', 1);
    const deliveries = toDeliveries(name, topic, messages);
    for (const fan of topic.fans) fan.accept(deliveries);
    return null;
  }

  function open(name: string, topic: Topic<Tx>): void {
    const shared = { transact: options.transactFor?.[name] ?? transact, sleep, onDeadLetter, limits };
    if (options.synchronousTopics.includes(name)) {
      const { patienceMs } = limits;
      const { identify = null } = options;
      topic.group = createGroupCommit({
        ...shared,
        consumers: topic.consumers,
        now: clock,
        patienceMs,
        identify,
      });
    } else {
      topic.fans = topic.consumers.map((consumer) => createFanOut({ ...shared, consumer }));
    }
  }

  return {
    publish(name, messages, { receipt = false } = {}) {
      const topic = topics.get(name);
      return state === 'started' && topic?.group && messages.length > 0
        ? publishInGroup(name, topic, topic.group, messages, receipt)
        : publishToFans(name, messages);
    },
    subscribe(name, consumer) {
      if (state !== 'new') throw new Error('subscribe before start');
      topicNamed(name).consumers.push(consumer as Consumer<unknown, Tx>);
    },
    async start() {
      for (const name of options.synchronousTopics) topicNamed(name);
      const assignment = { partitions: new Set([0]), count: 1, hold: async () => true };
      for (const [name, topic] of topics) {
        for (const consumer of topic.consumers) consumer.assigned?.(assignment);
        open(name, topic);
      }
      state = 'started';
    },
    health() {
      const reasons: string[] = [];
      for (const [name, topic] of topics) {
        for (const part of [topic.group, ...topic.fans]) {
          const failure = part?.failure() ?? null;
          if (failure !== null) reasons.push(`${name}: ${failure}`);
        }
      }
      return { ok: state === 'started' && reasons.length === 0, reasons };
    },
    async close() {
      state = 'closed';
      for (const topic of topics.values()) {
        await topic.group?.close();
        for (const fan of topic.fans) await fan.close();
      }
    },
  };
}
