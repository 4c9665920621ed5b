import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, KAFKA_VERSION, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { containerObstacle, describeImage, dockerHost } from './container.ts';
import type { PartServer, PartSource } from './part.ts';

/** The address at which suites reach Kafka. */
export interface KafkaAddress {
  brokers: string;
}

const IMAGE = `apache/kafka:${KAFKA_VERSION}`;
const START_WITHIN_MS = 180_000;
const LISTENERS_FILE = '/tmp/advertised-listeners';

/** The source of Kafka brokers; a run opens one for each of its workers. */
export const kafkaSource: PartSource<KafkaAddress> = {
  name: 'Kafka',
  variable: 'TIDEWATCH_TEST_KAFKA_BROKERS',
  read: (brokers) => ({ brokers }),
  ways: {
    container: { obstacle: () => containerObstacle(IMAGE, { kept: true }), start: startInContainer },
    native: { obstacle: kafkaObstacle, start: startNatively },
  },
};

/**
 * Starts a broker in a container that the next run reuses. Its port is chosen here, because a broker announces its address
 * to clients; the port does not affect whether a container is found again.
 */
async function startInContainer(): Promise<PartServer<KafkaAddress>> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const [host, port] = [await dockerHost(), await freePort()];
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://localhost:9093',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_HEAP_OPTS: '-Xmx512m',
    })
    .withCopyContentToContainer([
      { content: `PLAINTEXT://${host}:${port}`, target: LISTENERS_FILE, mode: 0o644 },
    ])
    .withEntrypoint(['bash', '-c'])
    .withCommand([`KAFKA_ADVERTISED_LISTENERS=$(cat ${LISTENERS_FILE}) exec /etc/kafka/docker/run`])
    .withExposedPorts({ container: 9092, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(START_WITHIN_MS)
    .withReuse()
    .start();
  const brokers = `${container.getHost()}:${container.getMappedPort(9092)}`;
  await untilAnswers(brokers);
  return {
    address: { brokers },
    detail: await describeImage(IMAGE),
    close: async () => undefined,
  };
}

/** A container that is reused accepts connections, and has logged its start, before it serves requests. */
async function untilAnswers(brokers: string): Promise<void> {
  const kafka = openKafka({ brokers: brokers.split(','), clientId: 'harness', log: () => undefined });
  for (const deadline = performance.now() + START_WITHIN_MS; ; await sleep(250)) {
    const admin = kafka.admin({ retry: { retries: 0 } });
    try {
      await admin.connect();
      await admin.describeCluster();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    } finally {
      await admin.disconnect();
    }
  }
}

async function startNatively(): Promise<PartServer<KafkaAddress>> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-kafka-'));
  const broker = await startKafkaBroker({ distribution: fetchKafka(), home });
  return {
    address: { brokers: broker.brokers },
    detail: `Kafka ${KAFKA_VERSION} from Maven Central`,
    close: async () => {
      await broker.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
