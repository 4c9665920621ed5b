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
});
