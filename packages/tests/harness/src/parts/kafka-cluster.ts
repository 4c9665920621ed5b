import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import {
  type KafkaBroker,
  type KafkaBrokerOptions,
  startKafkaBroker,
} from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka } from '@tidewatch/stack/parts/kafka-distribution';

/** A Kafka cluster of one suite, which adds, ends and restarts its brokers. They are numbered from 1. */
export interface KafkaCluster {
  /** Returns the addresses of all brokers that were added, including brokers that have ended. */
  brokers(): string[];
  /** Starts further brokers; the first one is also the controller. */
  add(count?: number): Promise<void>;
  /** Kills a broker by SIGKILL. The others serve only while the controller runs. */
  kill(number: number): Promise<void>;
  /** Stops a broker by SIGTERM: if the controller runs, its partitions get other leaders first. */
  stop(number: number): Promise<void>;
  /** Starts a stopped broker again with its former address and data. */
  start(number: number): Promise<void>;
  close(): Promise<void>;
}

const HEAP = '256m';
/** The time after which the controller gives the partitions of a silent broker other leaders, ms. */
const SESSION_MS = 4_000;
/** The timeout for stopping a broker, which takes seconds to hand over its partitions, ms. */
const STOP_WITHIN_MS = 20_000;

/**
 * Creates a cluster without brokers; `ownKafkaObstacle` says why that may be impossible. Consumer groups can form once
 * there are `size` brokers.
 */
export function openKafkaCluster(size = 3): KafkaCluster {
  let folder: string | null = null;
  const clusterId = randomBytes(16).toString('base64url');
  const nodes: { options: KafkaBrokerOptions; port: number; broker: KafkaBroker | null }[] = [];
  let controllerPort = 0;

  async function addOne(number: number, port: number): Promise<void> {
    const isController = number === 1;
    folder ??= mkdtempSync(join(tmpdir(), 'tidewatch-kafka-cluster-'));
    const node = {
      options: {
        distribution: fetchKafka(),
        clusterId,
        port,
        controllerPort,
        heap: HEAP,
        home: join(folder, String(number)),
        properties: {
          'node.id': String(number),
          'broker.session.timeout.ms': String(SESSION_MS),
          'broker.heartbeat.interval.ms': String(SESSION_MS / 8),
          'offsets.topic.replication.factor': String(size),
          ...(!isController && {
            'process.roles': 'broker',
            listeners: `PLAINTEXT://127.0.0.1:${port}`,
          }),
        },
      },
      port,
      broker: null as KafkaBroker | null,
    };
    nodes[number - 1] = node;
    node.broker = await startKafkaBroker(node.options);
  }

  return {
    brokers: () => nodes.map(({ port }) => `127.0.0.1:${port}`),
    async add(count = 1) {
      controllerPort ||= await freePort();
      const first = nodes.length + 1;
      const ports: number[] = [];
      for (let index = 0; index < count; index += 1) ports.push(await freePort());
      await Promise.all(ports.map((port, index) => addOne(first + index, port)));
    },
    async kill(number) {
      const node = nodes[number - 1];
      node?.broker?.signal('SIGKILL');
      await node?.broker?.ended;
      if (node) node.broker = null;
    },
    async stop(number) {
      const node = nodes[number - 1];
      await node?.broker?.stop(STOP_WITHIN_MS);
      if (node) node.broker = null;
    },
    async start(number) {
      const node = nodes[number - 1];
      if (node) node.broker ??= await startKafkaBroker(node.options);
    },
    async close() {
      // Stops the controller last, because a broker that stops notifies it.
      for (const { broker } of nodes.toReversed()) await broker?.stop(2_000);
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}
