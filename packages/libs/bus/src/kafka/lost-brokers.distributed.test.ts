import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import { type KafkaCluster, openKafkaCluster } from '@tidewatch/harness/parts/kafka-cluster';
import { ownKafkaObstacle } from '@tidewatch/harness/parts/own-kafka';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BusUnavailableError, type Consumer, DONE } from '../bus.ts';
import { type HarnessTx, openKafkaHarness, PARTITIONS } from '../testing/kafka.harness.ts';
import { createJsonFormat } from './format/json-format.ts';

const WITHIN = { timeout: 60_000, interval: 100 };
const MANY = 30;
const TAKEN = Array(MANY).fill('taken');
const REFUSED = Array(MANY).fill(expect.any(BusUnavailableError));
const possible = inject('kafka').state !== 'lacked' && ownKafkaObstacle() === null;

/** Opens the cluster that all tests of a suite share; each test continues with the brokers as the previous test left them. */
function openCluster(size: number): KafkaCluster {
  const cluster = possible ? openKafkaCluster(size) : null;
  beforeAll(() => cluster?.add(size), 180_000);
  afterAll(() => cluster?.close());
  return cluster as KafkaCluster;
}

/** Topics of one test, a consumer that reads them, and the values that were acknowledged. */
async function openTraffic(cluster: KafkaCluster) {
  const harness = await openKafkaHarness({ brokers: cluster.brokers() });
  const format = createJsonFormat<unknown>();
  const topics = new Map([[TOPICS.samples, { format, deadLetters: TOPICS.samplesDeadLetter }]]);
  const reader = (name: string): Consumer<unknown, HarnessTx> => ({
    name,
    async handle(batch, tx) {
      for (const { value } of batch) tx.put(`${name} ${value}`);
      return batch.map(() => DONE);
    },
  });
  const { bus, stops } = harness.openBus(topics);
  bus.subscribe(TOPICS.samples, reader('writer'));
  await bus.start();
  await expect.poll(() => bus.health().ok, WITHIN).toBe(true);
  const acknowledged: string[] = [];
  let rounds = 0;
  const publish = async (value: string): Promise<unknown> => {
    try {
      await bus.publish(TOPICS.samples, [{ key: value, value }]);
      acknowledged.push(value);
      return 'taken';
    } catch (error) {
      return error;
    }
  };
  /** Publishes values with many keys, so that every partition and every leader receives some. */
  const publishMany = () => {
    rounds += 1;
    return Promise.all(Array.from({ length: MANY }, (_, index) => publish(`${rounds}/${index}`)));
  };
  const unread = (name: string) => {
    const read = new Set(harness.committed);
    return acknowledged.filter((value) => !read.has(`${name} ${value}`));
  };
  return {
    ...harness,
    publishMany,
    isTaken: () => expect.poll(publishMany, WITHIN).toEqual(TAKEN),
    /** Publishes without a pause while `work` runs. */
    async during(happens: () => Promise<void>): Promise<void> {
      const happening = { now: true };
      const publishing = (async () => {
        while (happening.now) {
          await publishMany();
          await sleep(10);
        }
      })();
      await happens().finally(() => {
        happening.now = false;
      });
      await publishing;
    },
    /** Waits until the consumer of the test and a new consumer have both read all acknowledged values. */
    async hasReadAll(): Promise<void> {
      await expect.poll(() => unread('writer'), WITHIN).toEqual([]);
      const late = harness.openBus(topics);
      late.bus.subscribe(TOPICS.samples, reader('evaluator'));
      await late.bus.start();
      await expect.poll(() => unread('evaluator'), WITHIN).toEqual([]);
      expect([...stops, ...late.stops]).toEqual([]);
    },
  };
}

describe.skipIf(!possible)('[needs Kafka] what three brokers acknowledged', { timeout: 240_000 }, () => {
  const cluster = openCluster(3);
  const { kill, stop, start } = cluster ?? {};
  let traffic: Awaited<ReturnType<typeof openTraffic>>;

  const within = (happens: () => Promise<void>) => async () => {
    traffic = await openForTest(openTraffic(cluster));
    await traffic.isTaken();
    await happens();
    await traffic.isTaken();
    await traffic.hasReadAll();
  };

  it(
    'is read even if partition leaders moved to a broker that leads other partitions',
    within(async () => {
      const topic = traffic.prefix + TOPICS.samples;
      const leaders = async () => {
        const { topics } = await traffic.admin.fetchTopicMetadata({ topics: [topic] });
        return (topics[0]?.partitions ?? []).map(({ leader }) => leader);
      };
      const before = await leaders();
      expect(new Set(before).size).toBeGreaterThan(1);
      const [first = 0] = before;
      const partitionAssignment = before.map((leader, partition) => {
        const second = [1, 2, 3].find((number) => number !== first && number !== leader) as number;
        return { partition, replicas: [first, second] };
      });
      await traffic.admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
      await expect.poll(leaders, WITHIN).toEqual(Array(PARTITIONS).fill(first));
    }),
  );

  it(
    'is read after one broker was killed during publishing and restarted',
    within(() =>
      traffic.during(async () => {
        await kill(2);
        await traffic.isTaken();
        await start(2);
      }),
    ),
  );

  it(
    'is read after two brokers were killed and restarted; while both are down, publications are refused',
    within(async () => {
      await kill(2);
      await traffic.isTaken();
      await kill(3);
      await expect.poll(traffic.publishMany, WITHIN).toEqual(REFUSED);
      await Promise.all([start(2), start(3)]);
    }),
  );

  it(
    'is read after the controller was killed during publishing and restarted',
    within(() =>
      traffic.during(async () => {
        await kill(1);
        await start(1);
      }),
    ),
  );

  it(
    'is read after all brokers were restarted in turn during publishing',
    within(() =>
      traffic.during(async () => {
        for (const number of [1, 2, 3]) {
          await stop(number);
          await start(number);
          await traffic.isTaken();
        }
      }),
    ),
  );
});

describe.skipIf(!possible)('[needs Kafka] what two brokers acknowledged', { timeout: 240_000 }, () => {
  const cluster = openCluster(2);

  it('is read after each broker was killed during publishing and restarted; with one broker down, publications are refused', async () => {
    const traffic = await openForTest(openTraffic(cluster));
    await traffic.isTaken();
    for (const number of [2, 1]) {
      await traffic.during(async () => {
        await cluster.kill(number);
        await expect.poll(traffic.publishMany, WITHIN).toEqual(REFUSED);
        await cluster.start(number);
        await traffic.isTaken();
      });
    }
    await traffic.hasReadAll();
  });
});
