import { randomBytes } from 'node:crypto';
import { openStore, type Transaction } from '@tidewatch/store/connection';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { startDatabase } from '@tidewatch/testkit/postgres';
import { describe, inject } from 'vitest';
import { CONTRACT_TOPIC, type ContractTx, describeBus } from '../bus.contract.ts';
import { openKafka } from './connection.ts';
import { createJsonFormat } from './json-format.ts';
import { openKafkaBus } from './kafka-bus.ts';
import type { OffsetStore } from './offset-store.ts';
import { createTopics } from './topics.ts';

type Tx = ContractTx & { tx: Transaction };

const kafka = inject('kafka');
const client = () =>
  openKafka({
    brokers: kafka.state === 'lacked' ? [] : kafka.address.brokers.split(','),
    clientId: 'bus-test',
    log: () => undefined,
  });

/** The store's own transactions, with the contract's stand-in beside them. */
async function openBus() {
  const database = await startDatabase();
  const store = openStore({ url: database.url, max: 4 });
  const prefix = `test-${randomBytes(4).toString('hex')}.`;
  const admin = client().admin();
  await admin.connect();
  await createTopics(admin, { partitions: 3, retentionHours: 1, prefix });
  await admin.disconnect();
  const committed: unknown[] = [];
  let failure: Error | null = null;
  const offsets = createConsumerOffsets(store.sql);
  const bus = openKafkaBus<Tx>({
    kafka: client(),
    topics: new Map([
      [CONTRACT_TOPIC, { format: createJsonFormat(), deadLetters: 'tidewatch.samples.dead-letter' }],
    ]),
    topicPrefix: prefix,
    offsets: {
      ...offsets,
      advance: ({ tx }, ...rest) => offsets.advance(tx, ...rest),
      hold: ({ tx }, ...rest) => offsets.hold(tx, ...rest),
    } satisfies OffsetStore<Tx>,
    async transact(work) {
      if (failure !== null) throw failure;
      const put: unknown[] = [];
      const result = await store.transact((tx) => work({ tx, put: (value) => put.push(value) }));
      committed.push(...put);
      return result;
    },
  });
  return {
    bus,
    committed: () => committed,
    fail: (error: Error | null) => {
      failure = error;
    },
    async close() {
      await bus.close();
      await store.close();
      await database.close();
    },
  };
}

describe.skipIf(kafka.state === 'lacked')('[needs Kafka]', () => {
  describeBus('Kafka', openBus as never);
});
