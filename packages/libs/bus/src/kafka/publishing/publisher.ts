import type { Producer } from 'kafkajs';
import { BusUnavailableError, type Message, type RecordPlace } from '../../bus.ts';
import type { RecordBuilder, TopicFormat } from '../format/topic-format.ts';
import { sendAcknowledged } from './send-acknowledged.ts';

export interface PublisherOptions<T> {
  topic: string;
  partitions: number;
  format: TopicFormat<T>;
  producer: Pick<Producer, 'send'>;
  /** Called at the first failure of a series, when Kafka does not accept a record. */
  onFailure(error: unknown): void;
  /** The max time that the publisher gathers values in a batch before it sends the batch to Kafka, ms. */
  lingerMs: number;
  /** Milliseconds after which a publication without acknowledgement fails with a timeout. */
  patienceMs: number;
  /** A record of this many bytes is full; the next value begins another record. */
  recordBytes: number;
  /** New publications are refused at once while this many bytes are not acknowledged. */
  unacknowledgedBytes: number;
}

export interface Publisher<T> {
  /**
   * Resolves once all in-sync replicas have the messages: to the places of their records if `places` is set, else to null.
   * Throws BusUnavailableError.
   */
  publish(messages: readonly Message<T>[], places?: boolean): Promise<RecordPlace[] | null>;
  /** The last offset that was acknowledged in each partition. */
  published(): ReadonlyMap<number, bigint>;
  /** Returns why Kafka accepts nothing at the moment, or null while it does. */
  failure(): string | null;
  /** Refuses new publications, waits for those that were accepted. */
  close(): Promise<void>;
}

interface Publication {
  acceptedAt: number;
  settled: boolean;
  /** The records that hold this publication, by partition and index in the batch; null if no receipt is requested. */
  places: Place[] | null;
  resolve(records: RecordPlace[] | null): void;
  reject(error: Error): void;
}

/** The publications of one send with the records that they are packed into. */
interface Batch<T> {
  publications: Publication[];
  /** The full records of all partitions; `open` has the record of each partition that is not full yet. */
  full: { partition: number; value: Buffer }[];
  open: Map<number, RecordBuilder<T>>;
  /** The number of records that were started, by partition. */
  begun: Map<number, number>;
  bytes: number;
}

/** A batch of this many bytes is full; later publications go into the next batch. */
const SEND_BYTES = 4 * 1024 * 1024;

/**
 * Batches publications and sends one batch at a time, so that a retry by Kafka's client cannot overtake earlier samples of
 * a host. Values are packed on arrival, because payloads that wait as objects take some ten times their bytes.
 */
export function createPublisher<T>(options: PublisherOptions<T>): Publisher<T> {
  const { topic, partitions, format, producer, lingerMs, patienceMs, recordBytes } = options;
  const queue: Batch<T>[] = [];
  const published = new Map<number, bigint>();
  let unacknowledged = 0;
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let closed = false;

  /** The batch that new publications join. */
  function openBatch(): Batch<T> {
    const last = queue.at(-1);
    if (last !== undefined && last.bytes < SEND_BYTES) return last;
    const batch: Batch<T> = { publications: [], full: [], open: new Map(), begun: new Map(), bytes: 0 };
    queue.push(batch);
    return batch;
  }

  /** Packs a value; returns the bytes that it took. */
  function pack(batch: Batch<T>, partition: number, value: T): number {
    let builder = batch.open.get(partition);
    if (builder === undefined) {
      builder = format.open();
      batch.open.set(partition, builder);
      batch.begun.set(partition, (batch.begun.get(partition) ?? 0) + 1);
    }
    const before = builder.length();
    builder.add(value);
    const bytes = builder.length() - before;
    if (builder.length() >= recordBytes) {
      batch.full.push({ partition, value: builder.finish() });
      batch.open.delete(partition);
    }
    return bytes;
  }

  function recordsOf({ full, open }: Batch<T>): { partition: number; value: Buffer }[] {
    return [...full, ...[...open].map(([partition, builder]) => ({ partition, value: builder.finish() }))];
  }

  function settle(publication: Publication, outcome: Error | ReadonlyMap<number, bigint>): void {
    if (publication.settled) return;
    publication.settled = true;
    if (outcome instanceof Error) publication.reject(outcome);
    else publication.resolve(publication.places && placesFrom(publication.places, outcome));
  }

  /** Computes the offset of each record: those of one partition follow each other from the first offset in `bases`. */
  function placesFrom(places: readonly Place[], bases: ReadonlyMap<number, bigint>): RecordPlace[] {
    return places.map(({ partition, place }) => {
      return { topic, partition, offset: (bases.get(partition) ?? 0n) + BigInt(place) };
    });
  }

  /** Rejects publications that have waited too long, even if Kafka's client may still send them. */
  function expire(waiting: readonly Publication[], why: string): void {
    const oldest = performance.now() - patienceMs;
    for (const publication of waiting) {
      if (publication.acceptedAt <= oldest) settle(publication, new BusUnavailableError(why, 2));
    }
  }

  async function send(batch: Batch<T>): Promise<void> {
    const { publications } = batch;
    const watch = setInterval(() => {
      failure = `timeout: no acknowledgement for ${patienceMs} ms`;
      expire(publications, failure);
      for (const waiting of queue) expire(waiting.publications, failure);
    }, patienceMs);
    watch.unref();
    try {
      const records = recordsOf(batch);
      const bases = await sendAcknowledged(producer, topic, records);
      for (const [partition, base] of bases) {
        const count = records.filter((record) => record.partition === partition).length;
        published.set(partition, base + BigInt(count - 1));
      }
      for (const publication of publications) settle(publication, bases);
      failure = null;
    } catch (error) {
      if (failure === null) options.onFailure(error);
      failure = error instanceof Error ? error.message : String(error);
      const refused = new BusUnavailableError(failure, 2, { cause: error });
      for (const publication of publications) settle(publication, refused);
    } finally {
      clearInterval(watch);
    }
  }

  /** Returns the next batch once it is full or has waited long enough; undefined if there is none. */
  async function gathered(): Promise<Batch<T> | undefined> {
    const [next] = queue;
    if (next === undefined) return undefined;
    const left = (next.publications[0]?.acceptedAt ?? 0) + lingerMs - performance.now();
    if (left > 0 && next.bytes < SEND_BYTES) await new Promise((resolve) => setTimeout(resolve, left));
    return queue.shift();
  }

  async function drain(): Promise<void> {
    for (let batch = await gathered(); batch !== undefined; batch = await gathered()) {
      // Does not send a batch whose publications have all been rejected.
      if (batch.publications.some(({ settled }) => !settled)) await send(batch);
      unacknowledged -= batch.bytes;
    }
  }

  function run(): void {
    running ??= drain().finally(() => {
      running = null;
      if (queue.length > 0) run();
    });
  }

  return {
    async publish(messages, wantsPlaces = false) {
      if (closed) throw new BusUnavailableError('it is closing', 2);
      if (unacknowledged >= options.unacknowledgedBytes) {
        throw new BusUnavailableError(failure ?? 'too much is waiting for Kafka', 1);
      }
      const batch = openBatch();
      const places: Publication['places'] = wantsPlaces ? [] : null;
      let bytes = 0;
      for (const message of messages) {
        for (const [partition, value] of format.route(message, partitions)) {
          bytes += pack(batch, partition, value);
          if (places !== null) note(places, { partition, place: (batch.begun.get(partition) ?? 1) - 1 });
        }
      }
      batch.bytes += bytes;
      unacknowledged += bytes;
      // Returned without await, so that no frame keeps the messages in memory.
      return new Promise<RecordPlace[] | null>((resolve, reject) => {
        batch.publications.push({ acceptedAt: performance.now(), settled: false, places, resolve, reject });
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

type Place = { partition: number; place: number };

/** Adds a place unless the list contains it: several values of one publication may share a record. */
function note(places: Place[], { partition, place }: Place): void {
  if (!places.some((known) => known.partition === partition && known.place === place))
    places.push({ partition, place });
}
