import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Sql } from '@tidewatch/database/connection';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { countRests } from '@tidewatch/store/offsets/consumer-rests';

/** The consumers of the topic of samples. */
export const CONSUMERS = ['writer', 'evaluator'] as const;
export type ConsumerName = (typeof CONSUMERS)[number];

/** Reads how far the consumers of samples are behind; exists only where samples go through a topic. */
export interface ConsumerLag {
  /** Returns the number of records that each consumer has not applied yet. */
  records(): Promise<Record<ConsumerName, number>>;
  /** Returns the number of records that were ever published to the topic. */
  published(): Promise<number>;
  /**
   * Resolves once each consumer has applied all present records of the topic, to the seconds that each took. Throws after
   * `withinMs`.
   */
  caughtUp(withinMs: number): Promise<Record<ConsumerName, number>>;
  close(): Promise<void>;
}

const PAUSE_MS = 50;

/** Compares the ends of the topic's partitions with the positions in the store; null for a product without a topic. */
export async function openConsumerLag(dataDir: string, sql: Sql): Promise<ConsumerLag | null> {
  const stack = readStackFile(dataDir);
  if (stack === null) return null;
  const { sasl } = stack.kafka;
  const brokers = stack.kafka.brokers.split(',');
  const admin = openKafka({
    brokers,
    clientId: 'bench',
    log: () => undefined,
    ...(sasl && { sasl }),
  }).admin();
  await admin.connect();

  async function ends(): Promise<Map<number, number>> {
    const rows = await admin.fetchTopicOffsets(TOPICS.samples);
    return new Map(rows.map(({ partition, high }) => [partition, Number(high)]));
  }

  async function behind(targets: ReadonlyMap<number, number>): Promise<Record<ConsumerName, number>> {
    const rows = await sql<{ consumer: string; partition: number; next: number | null }[]>`
      select consumer, partition, next_offset as next from consumer_offsets where topic = ${TOPICS.samples}`;
    const lackOf = async (consumer: ConsumerName) => {
      let lack = await countRests(sql, consumer, TOPICS.samples);
      for (const [partition, end] of targets) {
        const row = rows.find((one) => one.consumer === consumer && one.partition === partition);
        lack += Math.max(0, end - Number(row?.next ?? 0));
      }
      return lack;
    };
    return { writer: await lackOf('writer'), evaluator: await lackOf('evaluator') };
  }

  return {
    records: async () => behind(await ends()),
    published: async () => [...(await ends()).values()].reduce((sum, end) => sum + end, 0),
    async caughtUp(withinMs) {
      const began = performance.now();
      const targets = await ends();
      const seconds: Partial<Record<ConsumerName, number>> = {};
      for (;;) {
        const lack = await behind(targets);
        for (const name of CONSUMERS)
          if (lack[name] === 0) seconds[name] ??= (performance.now() - began) / 1000;
        const { writer, evaluator } = seconds;
        if (writer !== undefined && evaluator !== undefined) return { writer, evaluator };
        if (performance.now() - began > withinMs)
          throw new Error(`the consumers did not catch up: ${JSON.stringify(lack)}`);
        await sleep(PAUSE_MS);
      }
    },
    close: () => admin.disconnect(),
  };
}
