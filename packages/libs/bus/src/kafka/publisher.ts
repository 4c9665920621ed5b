import type { Producer } from 'kafkajs';
import { BusUnavailableError, type Message } from '../bus.ts';
import type { TopicFormat } from './topic-format.ts';

export interface PublisherOptions<T> {
  topic: string;
  partitions: number;
  format: TopicFormat<T>;
  producer: Pick<Producer, 'send'>;
  /** Told the first time that Kafka does not take something. */
  onFailure(error: unknown): void;
  /** How long values are gathered before they are sent, ms. */
  lingerMs: number;
  /** How long a publication waits for its acknowledgement before it is given up, ms. */
  patienceMs: number;
  /** The size of one record, bytes by the format's own measure. */
  recordBytes: number;
  /** The size of everything that is not acknowledged yet, by the same measure; what exceeds it is refused at once. */
  unacknowledgedBytes: number;
}

export interface Publisher<T> {
  /** Resolves once all brokers in sync have it. Throws BusUnavailableError. */
  publish(messages: readonly Message<T>[]): Promise<void>;
  /** The last offset that was acknowledged in each partition. */
  published(): ReadonlyMap<number, bigint>;
  /** Why Kafka does not take anything at the moment, or null. */
  failure(): string | null;
  /** Refuses new publications, waits for those that were accepted. */
  close(): Promise<void>;
}

interface Publication<T> {
  parts: (readonly [number, T])[];
  bytes: number;
  acceptedAt: number;
  settled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** Bytes of one send; the rest waits for the next. */
const SEND_BYTES = 4 * 1024 * 1024;

/**
 * Gathers publications and sends them, one send at a time: what arrives while one is under way goes with the next.
 * So nothing that Kafka's client sends again can overtake what a host sent earlier.
 */
export function createPublisher<T>(options: PublisherOptions<T>): Publisher<T> {
  const { topic, partitions, format, producer, lingerMs, patienceMs, recordBytes } = options;
  let queue: Publication<T>[] = [];
  const published = new Map<number, bigint>();
  let unacknowledged = 0;
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let closed = false;

  function takeGroup(): { group: Publication<T>[]; bytes: number } {
    let bytes = 0;
    let count = 0;
    for (const publication of queue) {
      if (count > 0 && bytes + publication.bytes > SEND_BYTES) break;
      bytes += publication.bytes;
      count += 1;
    }
    const group = queue.slice(0, count);
    queue = queue.slice(count);
    return { group: group.filter((publication) => !publication.settled), bytes };
  }

  function recordsOf(group: readonly Publication<T>[]): { partition: number; value: Buffer }[] {
    const values = new Map<number, T[]>();
    for (const { parts } of group) {
      for (const [partition, value] of parts) {
        const list = values.get(partition);
        if (list) list.push(value);
        else values.set(partition, [value]);
      }
    }
    const records: { partition: number; value: Buffer }[] = [];
    for (const [partition, list] of values) {
      let start = 0;
      let bytes = 0;
      for (let index = 0; index < list.length; index += 1) {
        const more = format.weigh(list[index] as T);
        if (index > start && bytes + more > recordBytes) {
          records.push({ partition, value: format.encode(list.slice(start, index)) });
          start = index;
          bytes = 0;
        }
        bytes += more;
      }
      records.push({ partition, value: format.encode(start === 0 ? list : list.slice(start)) });
    }
    return records;
  }

  function settle(publication: Publication<T>, error: Error | null): void {
    if (publication.settled) return;
    publication.settled = true;
    if (error) publication.reject(error);
    else publication.resolve();
  }

  /** Publications that have waited too long are given up, whatever Kafka's client still does with them. */
  function expire(waiting: readonly Publication<T>[], why: string): void {
    const oldest = performance.now() - patienceMs;
    for (const publication of waiting) {
      if (publication.acceptedAt <= oldest) settle(publication, new BusUnavailableError(why, 2));
    }
  }

  async function send(group: readonly Publication<T>[]): Promise<void> {
    const watch = setInterval(() => {
      failure = `no acknowledgement for ${patienceMs} ms`;
      expire(group, failure);
      expire(queue, failure);
    }, patienceMs);
    watch.unref();
    try {
      const records = recordsOf(group);
      const answers = await producer.send({ topic, acks: -1, messages: records });
      for (const { partition, baseOffset } of answers) {
        const count = records.filter((record) => record.partition === partition).length;
        published.set(partition, BigInt(baseOffset ?? 0) + BigInt(count - 1));
      }
      for (const publication of group) settle(publication, null);
      failure = null;
    } catch (error) {
      if (failure === null) options.onFailure(error);
      failure = error instanceof Error ? error.message : String(error);
      const refused = new BusUnavailableError(failure, 2, { cause: error });
      for (const publication of group) settle(publication, refused);
    } finally {
      clearInterval(watch);
    }
  }

  async function drain(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, lingerMs));
    while (queue.length > 0) {
      const { group, bytes } = takeGroup();
      if (group.length > 0) await send(group);
      unacknowledged -= bytes;
    }
  }

  function run(): void {
    running ??= drain().finally(() => {
      running = null;
      if (queue.length > 0) run();
    });
  }

  return {
    async publish(messages) {
      if (closed) throw new BusUnavailableError('it is closing', 2);
      const parts: (readonly [number, T])[] = [];
      for (const message of messages) parts.push(...format.route(message, partitions));
      if (parts.length === 0) return;
      let bytes = 0;
      for (const [, value] of parts) bytes += format.weigh(value);
      if (unacknowledged + bytes > options.unacknowledgedBytes && unacknowledged > 0) {
        throw new BusUnavailableError(failure ?? 'too much is waiting for Kafka', 1);
      }
      await new Promise<void>((resolve, reject) => {
        queue.push({ parts, bytes, acceptedAt: performance.now(), settled: false, resolve, reject });
        unacknowledged += bytes;
        run();
      });
    },
    published: () => published,
    failure: () => failure,
    async close() {
      closed = true;
      while (running !== null) await running;
    },
  };
}
