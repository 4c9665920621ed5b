import { TOPICS } from '@tidewatch/contracts/events/topic';
import { type KafkaCluster, openKafkaCluster } from '@tidewatch/harness/parts/kafka-cluster';
import { ownKafkaObstacle } from '@tidewatch/harness/parts/own-kafka';
import kafkajs, { type Admin } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openClient, PARTITIONS } from '../testing/kafka.harness.ts';
import { createTopics } from './topics/topics.ts';

const WITHIN = { timeout: 60_000, interval: 100 };
const NEVER = '9223372036854775807';
const possible = inject('kafka').state !== 'lacked' && ownKafkaObstacle() === null;

/** The tests depend on their order: each continues with the brokers as the previous test left them. */
describe.skipIf(!possible)('[needs Kafka] topics of a cluster', { timeout: 180_000 }, () => {
  const cluster: KafkaCluster | null = possible ? openKafkaCluster() : null;
  const { add } = cluster as KafkaCluster;
  let admin: Admin;

  beforeAll(async () => {
    await add();
    admin = openClient({ brokers: cluster?.brokers() ?? [] }).admin();
    await admin.connect();
  }, 180_000);
  afterAll(async () => {
    await admin?.disconnect();
    await cluster?.close();
  });

  const alive = async () => (await admin.describeCluster()).brokers.length;
  const create = (prefix: string) =>
    createTopics(admin, { partitions: PARTITIONS, retentionHours: 1, prefix });

  async function settingsOf(topic: string): Promise<Record<string, string | number>> {
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic };
    const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
    const entries = resources[0]?.configEntries ?? [];
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const replicas = topics[0]?.partitions.map((partition) => partition.replicas.length) ?? [];
    const names = ['flush.messages', 'min.insync.replicas', 'retention.ms'];
    return {
      replicas: Math.min(...replicas),
      ...Object.fromEntries(
        entries
          .filter(({ configName }) => names.includes(configName))
          .map(({ configName, configValue }) => [configName, configValue]),
      ),
    };
  }

  /** Sets topic settings, as an operator might, with which acknowledged records could be lost. */
  async function undo(topic: string): Promise<void> {
    const configEntries = [
      { name: 'flush.messages', value: NEVER },
      { name: 'min.insync.replicas', value: '1' },
      { name: 'retention.ms', value: '7200000' },
    ];
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic };
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
    await expect
      .poll(() => settingsOf(topic), WITHIN)
      .toMatchObject({ 'flush.messages': NEVER, 'min.insync.replicas': '1' });
  }

  it.each([
    ['one broker have one replica that flushes each record', 1, '1', '1'],
    ['two brokers have two replicas that both flush each record', 2, '2', '1'],
    [
      'three brokers have three replicas, two of which acknowledge, and leave flushing to them',
      3,
      '2',
      NEVER,
    ],
  ])('of %s, also where they were made otherwise', async (_name, count, insync, flush) => {
    if (count > 1) await add();
    await expect.poll(alive, WITHIN).toBe(count);
    const prefix = `of-${count}.`;
    await create(prefix);
    const wanted = { replicas: count, 'flush.messages': flush, 'min.insync.replicas': insync };
    for (const topic of Object.values(TOPICS))
      expect(await settingsOf(`${prefix}${topic}`), topic).toMatchObject(wanted);
    await undo(`${prefix}${TOPICS.samples}`);
    /** Polled, because the broker that answers may not know the change yet. */
    const repaired = async () => {
      expect(await create(prefix)).toEqual([]);
      return settingsOf(`${prefix}${TOPICS.samples}`);
    };
    await expect.poll(repaired, WITHIN).toMatchObject({ ...wanted, 'retention.ms': '7200000' });
  });

  it('that were created with one broker keep one replica, which flushes each record, when there are three brokers', async () => {
    expect(await create('of-1.')).toEqual([]);
    expect(await settingsOf(`of-1.${TOPICS.samples}`)).toMatchObject({
      replicas: 1,
      'flush.messages': '1',
      'min.insync.replicas': '1',
    });
  });
});
