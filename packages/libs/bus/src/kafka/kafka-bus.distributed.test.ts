import { describe, expect, inject, it } from 'vitest';
import { CONTRACT_TOPIC, describeBus } from '../bus.contract.ts';
import { createJsonFormat } from './json-format.ts';
import { openKafkaBed, PARTITIONS } from './kafka.bed.ts';

const topic = { format: createJsonFormat<unknown>(), deadLetters: 'tidewatch.samples.dead-letter' };

async function openBus() {
  const bed = await openKafkaBed();
  const { bus } = bed.openBus(new Map([[CONTRACT_TOPIC, topic]]));
  return { bus, committed: () => bed.committed, fail: bed.fail, close: bed.close };
}

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka]', () => {
  describeBus('Kafka', openBus as never);

  it('spreads what it publishes over the partitions, as the format routes it', async () => {
    const bed = await openKafkaBed();
    const { bus } = bed.openBus(new Map([[CONTRACT_TOPIC, topic]]));
    await bus.start();
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    await bus.publish(
      CONTRACT_TOPIC,
      keys.map((key) => ({ key, value: key })),
    );
    const ends = await bed.admin.fetchTopicOffsets(`${bed.prefix}${CONTRACT_TOPIC}`);
    const routes = keys.flatMap((key) => [...topic.format.route({ key, value: key }, PARTITIONS)]);
    const wanted = new Set(routes.map(([partition]) => partition));
    const reached = ends.filter(({ high }) => high !== '0').map(({ partition }) => partition);
    expect(reached.toSorted()).toEqual([...wanted].toSorted());
    expect(reached).toHaveLength(PARTITIONS);
    await bed.close();
  });

  it("tells Kafka's own tools how far it has read", async () => {
    const bed = await openKafkaBed();
    const { bus } = bed.openBus(new Map([[CONTRACT_TOPIC, topic]]));
    bus.subscribe(CONTRACT_TOPIC, {
      name: 'reader',
      handle: async (batch) => batch.map(() => ({ kind: 'done' as const })),
    });
    await bus.start();
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    await bus.publish(
      CONTRACT_TOPIC,
      keys.map((key) => ({ key, value: key })),
    );
    const { groups } = await bed.admin.listGroups();
    const groupId = groups.find((group) => group.groupId.includes(bed.prefix))?.groupId ?? '';
    const name = `${bed.prefix}${CONTRACT_TOPIC}`;
    const ends = await bed.admin.fetchTopicOffsets(name);
    const wanted = ends.map(({ partition, high }) => [partition, high]).toSorted();
    await expect
      .poll(
        async () => {
          const [told] = await bed.admin.fetchOffsets({ groupId, topics: [name] });
          return told?.partitions.map(({ partition, offset }) => [partition, offset]).toSorted();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toEqual(wanted);
    await bed.close();
  });
});
