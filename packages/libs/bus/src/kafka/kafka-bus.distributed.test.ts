import { openForTest } from '@tidewatch/harness/opened';
import { describe, expect, inject, it } from 'vitest';
import { CONTRACT_TOPIC, describeBus } from '../bus.contract.ts';
import { jsonFormat, openKafkaHarness, PARTITIONS, storing } from '../testing/kafka.harness.ts';

async function openBus() {
  const harness = await openKafkaHarness();
  const { bus } = harness.openBus();
  return { bus, committed: () => harness.committed, fail: harness.fail, close: harness.close };
}

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka]', () => {
  describeBus('Kafka', openBus as never);

  it('the Kafka bus publishes each message to the partition that its format chooses', async () => {
    const harness = await openForTest(openKafkaHarness());
    const { bus } = await harness.startBus();
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    await bus.publish(
      CONTRACT_TOPIC,
      keys.map((key) => ({ key, value: key })),
    );
    const ends = await harness.admin.fetchTopicOffsets(`${harness.prefix}${CONTRACT_TOPIC}`);
    const routes = keys.flatMap((key) => [...jsonFormat.route({ key, value: key }, PARTITIONS)]);
    const wanted = new Set(routes.map(([partition]) => partition));
    const reached = ends.filter(({ high }) => high !== '0').map(({ partition }) => partition);
    expect(reached.toSorted()).toEqual([...wanted].toSorted());
    expect(reached).toHaveLength(PARTITIONS);
  });

  it('the Kafka bus commits consumer offsets to Kafka, so that the tools of Kafka show them', async () => {
    const harness = await openForTest(openKafkaHarness());
    const { bus } = await harness.startBus(storing('reader'));
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    await bus.publish(
      CONTRACT_TOPIC,
      keys.map((key) => ({ key, value: key })),
    );
    const { groups } = await harness.admin.listGroups();
    const groupId = groups.find((group) => group.groupId.includes(harness.prefix))?.groupId ?? '';
    const name = `${harness.prefix}${CONTRACT_TOPIC}`;
    const ends = await harness.admin.fetchTopicOffsets(name);
    const wanted = ends.map(({ partition, high }) => [partition, high]).toSorted();
    await expect
      .poll(
        async () => {
          const [committed] = await harness.admin.fetchOffsets({ groupId, topics: [name] });
          return committed?.partitions.map(({ partition, offset }) => [partition, offset]).toSorted();
        },
        { interval: 500 },
      )
      .toEqual(wanted);
  });
});
