import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkajs } from '@tidewatch/bus/kafka/client';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { openKafkaBus } from '@tidewatch/bus/kafka/kafka-bus';
import type { OffsetStore } from '@tidewatch/bus/kafka/position/offset-store';
import { productTopics } from '@tidewatch/bus/kafka/product-bus';
import { createTopics } from '@tidewatch/bus/kafka/topics/topics';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { parseTimes } from '@tidewatch/harness/process-tree';
import { startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, KAFKA_VERSION, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { type Percentiles, summarise } from '../measure/percentile.ts';
import { ownCpu } from '../measure/processor.ts';
import { number, table } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

type Kafka = ReturnType<typeof openKafka>;

/** When a broker acknowledges a record: after the flush to disk, or as soon as the record is in memory. */
type Acknowledgement = 'flushed' | 'in memory';

interface FlushRound {
  acknowledged: Acknowledgement;
  /** The number of payloads in one publication, which stands for one request. */
  payloads: number;
  seconds: number;
  publications: number;
  /** The number of records, and of sends, of all publications; concurrent publications share them. */
  records: number;
  sends: number;
  samples: number;
  /** The time from a publication to its acknowledgement, ms. */
  latency: Percentiles;
  /** CPU-seconds of the broker, and of this process, which publishes like a gateway. */
  brokerCpu: number;
  publisherCpu: number;
}

interface FlushLoad {
  /** The duration of each round. */
  seconds: number;
  partitions: number;
}

type FlushResult = Awaited<ReturnType<typeof runFlush>>;

const CONNECTIONS = 32;
const METRICS = 10;
const HOSTS = 1_000;
/** The numbers of payloads per publication that are measured. */
const SIZES = [1, 100] as const;
/** Both variants in both orders, so that changes of the machine affect both equally. */
const ORDER: readonly Acknowledgement[] = ['flushed', 'in memory', 'in memory', 'flushed'];
const TICKS_PER_SECOND = 100;
const WARM_UP_SECONDS = 3;
/** Kafka's default of `flush.messages`, which leaves flushing to the operating system. */
const NEVER = '9223372036854775807';

/** A separate publisher for each topic, and how much it has sent. */
interface Publishing {
  publish(batch: SampleBatch): Promise<unknown>;
  sends(): number;
  /** Returns the number of records in the topic. */
  records(): Promise<number>;
  close(): Promise<void>;
}

export const flush: Scenario = {
  measures: `what a gateway's publisher and one Kafka broker take, with records flushed before they are acknowledged and without,
one payload a request and 100: no product is started, and 8 rounds are measured`,
  options: ['seconds', 'partitions'],
  limits: { seconds: { default: 12, max: 60 } },
  keepsSamples: false,
  standsAlone: `Kafka ${KAFKA_VERSION}`,
  async run(options, print) {
    const figures = await runFlush(options);
    print(flushTable(figures));
    return { valid: true, figures };
  },
};

/**
 * Starts one broker and publishes to it like a gateway, `seconds` in each round: to a topic whose records are flushed
 * before they are acknowledged, and to one whose records are not. Throws if no broker can be started here.
 */
async function runFlush({ seconds, partitions }: FlushLoad) {
  const obstacle = kafkaObstacle();
  if (obstacle !== null) throw new Error(`Kafka cannot be started here: ${obstacle}`);
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-bench-flush-'));
  try {
    const broker = await startKafkaBroker({ distribution: fetchKafka(), home });
    const kafka = openKafka({ brokers: [broker.brokers], clientId: 'bench', log: () => undefined });
    const open: Publishing[] = [];
    try {
      const topics = new Map<Acknowledgement, Publishing>();
      for (const [name, prefix] of [
        ['flushed', 'flushed.'],
        ['in memory', 'memory.'],
      ] as const) {
        await prepareTopics(kafka, prefix, partitions, name);
        const publishing = await openPublishing(kafka, prefix);
        open.push(publishing);
        topics.set(name, publishing);
      }
      const rounds: FlushRound[] = [];
      for (const payloads of SIZES) {
        for (const publishing of open) await publishFor(publishing, payloads, WARM_UP_SECONDS);
        for (const acknowledged of ORDER) {
          const publishing = topics.get(acknowledged) as Publishing;
          rounds.push({ acknowledged, ...(await measure(publishing, payloads, seconds, broker.pid)) });
        }
      }
      return { partitions, connections: CONNECTIONS, rounds };
    } finally {
      for (const publishing of open) await publishing.close();
      await broker.stop();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Creates the topics as the migration step does; without the flush for records that are only kept in memory. */
async function prepareTopics(
  kafka: Kafka,
  prefix: string,
  partitions: number,
  acknowledged: Acknowledgement,
): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await createTopics(admin, { partitions, retentionHours: 1, prefix });
    if (acknowledged === 'flushed') return;
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: `${prefix}${TOPICS.samples}` };
    const configEntries = [{ name: 'flush.messages', value: NEVER }];
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
  } finally {
    await admin.disconnect();
  }
}

async function openPublishing(kafka: Kafka, topicPrefix: string): Promise<Publishing> {
  let sends = 0;
  const counting: Pick<Kafka, 'producer' | 'admin' | 'consumer' | 'logger'> = {
    admin: (config) => kafka.admin(config),
    consumer: (config) => kafka.consumer(config),
    logger: () => kafka.logger(),
    producer(config) {
      const producer = kafka.producer(config);
      producer.on('producer.network.request', ({ payload }) => {
        if (payload.apiName === 'Produce') sends += 1;
      });
      return producer;
    },
  };
  const bus = openKafkaBus<never>({
    kafka: counting as Kafka,
    topics: productTopics(),
    topicPrefix,
    offsets: { remember: async (_topic, seen) => seen } as OffsetStore<never>,
    transact: () => Promise.reject(new Error('this benchmark only publishes, so no consumer may read')),
  });
  await bus.start();
  const admin = kafka.admin();
  await admin.connect();
  return {
    publish: (value) => bus.publish(TOPICS.samples, [{ key: value.organizationId, value }]),
    sends: () => sends,
    async records() {
      const ends = await admin.fetchTopicOffsets(`${topicPrefix}${TOPICS.samples}`);
      return ends.reduce((sum, { high }) => sum + Number(high), 0);
    },
    async close() {
      await bus.close();
      await admin.disconnect();
    },
  };
}

async function measure(publishing: Publishing, payloads: number, seconds: number, broker: number) {
  const before = { records: await publishing.records(), sends: publishing.sends() };
  const cpu = { broker: cpuOf(broker), own: ownCpu() };
  const { latencies, elapsed } = await publishFor(publishing, payloads, seconds);
  const [brokerCpu, publisherCpu] = [cpuOf(broker) - cpu.broker, ownCpu() - cpu.own];
  return {
    payloads,
    seconds: elapsed,
    publications: latencies.length,
    records: (await publishing.records()) - before.records,
    sends: publishing.sends() - before.sends,
    samples: latencies.length * payloads * METRICS,
    latency: summarise(latencies),
    brokerCpu,
    publisherCpu,
  };
}

/** Publishes for some seconds over all connections; each publishes again once its last publication was acknowledged. */
async function publishFor(publishing: Publishing, payloads: number, seconds: number) {
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  const metrics = Array.from({ length: METRICS }, (_, index) => `metric_${index}`);
  let next = 0;
  const batchOf = (): SampleBatch => {
    const now = Date.now();
    const payload = () => {
      next += 1;
      const values = metrics.map((_, index) => ((next * 31 + index * 17) % 10_000) / 100);
      return { host: `bench-${String(next % HOSTS).padStart(5, '0')}`, time: now, metrics, values };
    };
    return {
      kind: 'samples',
      organizationId: 'bench',
      receivedAt: now,
      stalledMs: 0,
      payloads: Array.from({ length: payloads }, payload),
    };
  };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        const batch = batchOf();
        const sentAt = performance.now();
        await publishing.publish(batch);
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  return { latencies, elapsed: (performance.now() - began) / 1_000 };
}

function cpuOf(pid: number): number {
  return (parseTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.ticks ?? 0) / TICKS_PER_SECOND;
}

const HEADS = [
  'payloads a request',
  'acknowledged',
  'requests/s',
  'samples/s',
  'records/s',
  'sends/s',
  'p50 ms',
  'p99 ms',
  'CPU-s per million',
  'broker',
  'publisher',
];

/** Returns the table of all rounds, in their order. */
function flushTable({ rounds, partitions, connections }: FlushResult): string {
  const heading = `one broker, ${partitions} partitions, ${connections} connections, one publisher`;
  return `${heading}\n\n${table(HEADS, rounds.map(rowOf))}`;
}

function rowOf(round: FlushRound): string[] {
  const { payloads, acknowledged, seconds, latency, brokerCpu, publisherCpu } = round;
  const millions = round.samples / 1e6;
  return [
    ...[String(payloads), acknowledged],
    ...[round.publications, round.samples, round.records, round.sends].map((count) =>
      number(count / seconds),
    ),
    ...[number(latency.p50, 1), number(latency.p99, 1)],
    ...[brokerCpu + publisherCpu, brokerCpu, publisherCpu].map((cpu) => number(cpu / millions, 2)),
  ];
}
