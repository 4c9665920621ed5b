import { randomBytes } from 'node:crypto';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openStore, type Sql, type Transaction } from '@tidewatch/database/connection';
import { brokersOfWorker } from '@tidewatch/harness/parts/brokers-of-worker';
import { openTestStore } from '@tidewatch/harness/store';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import type { Admin } from 'kafkajs';
import { inject } from 'vitest';
import type { ContractTx } from '../bus.contract.ts';
import { type Bus, type Consumer, DONE } from '../bus.ts';
import { type KafkaConnectionOptions, openKafka } from '../kafka/connection.ts';
import { createJsonFormat } from '../kafka/format/json-format.ts';
import { type KafkaTopic, openKafkaBus } from '../kafka/kafka-bus.ts';
import type { OffsetStore } from '../kafka/position/offset-store.ts';
import { createTopics } from '../kafka/topics/topics.ts';

/** A transaction of the store, with a list in memory for the values that a consumer puts. */
export type HarnessTx = ContractTx & { tx: Transaction };

export interface OpenedBus {
  bus: Bus<HarnessTx>;
  /** The reasons for which consumers have stopped. */
  stops: string[];
  /** Each consumer's move back to an earlier offset after the log had lost records. */
  rewinds: { consumer: string; partition: number; from: bigint; to: bigint }[];
}

/** Topics and a database for one test, on the broker of the test run unless `access` names another. */
export interface KafkaHarness {
  prefix: string;
  admin: Admin;
  /** A connection as superuser, which the migration step needs. */
  owner: Sql;
  /** The positions in the database of this harness. */
  offsets: Pick<OffsetStore<Transaction>, 'claim'>;
  /** Runs a transaction whose values are not kept. */
  transact<R>(work: (tx: HarnessTx) => Promise<R>): Promise<R>;
  /** All committed values, in the order of their commits. */
  committed: unknown[];
  /** Makes later transactions fail with this error, or succeed again. */
  fail(error: Error | null): void;
  /** Opens a bus of these topics; of the topic of samples, with any JSON value, if none are given. */
  openBus(topics?: ReadonlyMap<string, KafkaTopic>): OpenedBus;
  /** Starts a bus of the topic of samples that these consumers read. */
  startBus(...consumers: Consumer<unknown, HarnessTx>[]): Promise<OpenedBus>;
  /** Closes every bus that was opened, and every other resource. */
  close(): Promise<void>;
}

export const PARTITIONS = 3;

export const jsonFormat = createJsonFormat<unknown>();
const SAMPLES = new Map([[TOPICS.samples, { format: jsonFormat, deadLetters: TOPICS.samplesDeadLetter }]]);

/** A consumer that stores what `stored` returns for each value; the value itself unless it is given. */
export function storing(
  name: string,
  stored: (value: unknown) => unknown = (value) => value,
): Consumer<unknown, HarnessTx> {
  return {
    name,
    async handle(batch, tx) {
      for (const { value } of batch) tx.put(stored(value));
      return batch.map(() => DONE);
    },
  };
}

/** The address of the Kafka broker for this test worker; empty if there is none. */
function runBrokers(): string[] {
  return inject('kafka').state === 'lacked' ? [] : brokersOfWorker().split(',');
}

export function openClient(access: Partial<KafkaConnectionOptions> = {}) {
  return openKafka({ brokers: runBrokers(), clientId: 'bus-test', log: () => undefined, ...access });
}

export async function openKafkaHarness(access: Partial<KafkaConnectionOptions> = {}): Promise<KafkaHarness> {
  const owner = await openTestStore({ max: 1 });
  const store = openStore({ url: owner.database.url, max: 4 });
  const prefix = `test-${randomBytes(4).toString('hex')}.`;
  const admin = openClient(access).admin();
  await admin.connect();
  await createTopics(admin, { partitions: PARTITIONS, retentionHours: 1, prefix });
  const committed: unknown[] = [];
  const offsets = createConsumerOffsets(store.sql);
  const buses: Bus<HarnessTx>[] = [];
  let failure: Error | null = null;
  function openBus(topics: ReadonlyMap<string, KafkaTopic> = SAMPLES): OpenedBus {
    const stops: string[] = [];
    const rewinds: OpenedBus['rewinds'] = [];
    const bus = openKafkaBus<HarnessTx>({
      kafka: openClient(access),
      topics,
      topicPrefix: prefix,
      offsets: {
        ...offsets,
        advance: ({ tx }, ...rest) => offsets.advance(tx, ...rest),
        leave: ({ tx }, ...rest) => offsets.leave(tx, ...rest),
        hold: ({ tx }, ...rest) => offsets.hold(tx, ...rest),
      } satisfies OffsetStore<HarnessTx>,
      async transact(work) {
        if (failure !== null) throw failure;
        const put: unknown[] = [];
        const result = await store.transact((tx) => work({ tx, put: (value) => put.push(value) }));
        committed.push(...put);
        return result;
      },
      onStop: (_consumer, reason) => stops.push(reason),
      onRewind: (consumer, { partition, from, to }) => rewinds.push({ consumer, partition, from, to }),
    });
    buses.push(bus);
    return { bus, stops, rewinds };
  }
  return {
    prefix,
    admin,
    owner: owner.sql,
    offsets,
    transact: (work) => store.transact((tx) => work({ tx, put: () => undefined })),
    committed,
    fail(error) {
      failure = error;
    },
    openBus,
    async startBus(...consumers) {
      const opened = openBus();
      for (const consumer of consumers) opened.bus.subscribe(TOPICS.samples, consumer);
      await opened.bus.start();
      return opened;
    },
    async close() {
      for (const bus of buses) await bus.close();
      await admin.disconnect();
      await store.close();
      await owner.close();
    },
  };
}
