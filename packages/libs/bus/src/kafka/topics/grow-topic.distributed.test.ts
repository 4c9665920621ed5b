import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import { countRests } from '@tidewatch/store/offsets/consumer-rests';
import { readPositions, resizeTopic } from '@tidewatch/store/offsets/topic-partitions';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import {
  type KafkaHarness,
  type OpenedBus,
  openKafkaHarness,
  PARTITIONS,
  storing,
} from '../../testing/kafka.harness.ts';
import { GrowRefusedError, growTopic } from './grow-topic.ts';

const WITHIN = { interval: 100 };
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const GROWN = PARTITIONS * 2;

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka] a topic that gets more partitions', () => {
  let harness: KafkaHarness;
  let topic: string;
  const owned = new Set<number>();

  beforeEach(async () => {
    harness = await openForTest(openKafkaHarness());
    topic = `${harness.prefix}${TOPICS.samples}`;
  });

  /** Starts a bus with a consumer that stores the values of every partition, and records its partitions. */
  const startReading = () =>
    harness.startBus({
      ...storing('writer'),
      assigned({ partitions }) {
        owned.clear();
        for (const partition of partitions) owned.add(partition);
      },
    });

  async function publish({ bus }: OpenedBus, from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += 1)
      await bus.publish(
        TOPICS.samples,
        KEYS.map((key) => ({ key, value: `${key}${at}` })),
      );
  }

  const grow = (partitions = GROWN) =>
    growTopic({
      admin: harness.admin,
      topic,
      partitions,
      sleep: (ms) => sleep(ms),
      consumers: [{ name: 'writer', group: `${harness.prefix}tidewatch.writer` }],
      positions: (consumer) => readPositions(harness.owner, consumer, topic),
      rests: (consumer) => countRests(harness.owner, consumer, topic),
      resize: (count) => resizeTopic(harness.owner, topic, count),
    });

  const countOf = async () => {
    const { topics: found } = await harness.admin.fetchTopicMetadata({ topics: [topic] });
    return found[0]?.partitions.length;
  };

  const of = (key: string) => harness.committed.filter((value) => String(value).startsWith(key));
  const all = (key: string, to: number) => Array.from({ length: to }, (_, at) => `${key}${at}`);

  it('refuses to grow while a consumer reads, records are left, or a gateway publishes; afterwards no record is lost, duplicated or out of order', async () => {
    const reading = await startReading();
    await publish(reading, 0, 10);
    await expect.poll(() => harness.committed.length, WITHIN).toBe(KEYS.length * 10);
    await expect(grow()).rejects.toThrow(/still read as .*tidewatch\.writer: stop every writer/);
    await reading.bus.close();

    const publishing = await harness.startBus();
    await publish(publishing, 10, 20);
    await expect(grow()).rejects.toThrow(/The writer has \d+ records .* left/);
    const again = await startReading();
    await expect.poll(() => harness.committed.length, WITHIN).toBe(KEYS.length * 20);
    await again.bus.close();

    const growing = grow();
    growing.catch(() => undefined);
    const ended = { now: false };
    void growing.catch(() => undefined).finally(() => (ended.now = true));
    for (let at = 20; !ended.now; at += 1) {
      await publish(publishing, at, at + 1);
      await sleep(200);
    }
    await expect(growing).rejects.toThrow(/Something still publishes/);
    await publishing.bus.close();
    expect(await countOf()).toBe(PARTITIONS);

    const rest = await startReading();
    const published = () => harness.admin.fetchTopicOffsets(topic);
    const total = (await published()).reduce((sum, { high }) => sum + Number(high), 0);
    await expect
      .poll(async () => {
        const rows = await readPositions(harness.owner, 'writer', topic);
        return rows.reduce((sum, { nextOffset }) => sum + Number(nextOffset ?? 0), 0);
      }, WITHIN)
      .toBe(total);
    await rest.bus.close();

    await harness.owner`
      insert into consumer_rests (consumer, topic, partition, seq, record_offset, published_at, value)
      values ('writer', ${topic}, 0, 1, 0, now(), '')`;
    await expect(grow()).rejects.toThrow(/The writer has 1 records .* left/);
    await harness.owner`delete from consumer_rests`;

    expect(await grow()).toBe(PARTITIONS);
    expect(await countOf()).toBe(GROWN);
    const before = of('a').length;
    const grown = await startReading();
    await publish(grown, before, before + 10);
    await expect.poll(() => harness.committed.length, WITHIN).toBe(KEYS.length * (before + 10));
    expect([...owned].sort()).toEqual(Array.from({ length: GROWN }, (_, partition) => partition));
    for (const key of KEYS) expect(of(key)).toEqual(all(key, before + 10));
    expect(grown.stops).toEqual([]);
  });

  it('completes a run that ended after Kafka had the partitions and before the store knew them, and never removes partitions', async () => {
    const first = await harness.startBus();
    await first.bus.close();
    await harness.admin.createPartitions({ topicPartitions: [{ topic, count: GROWN }] });
    await expect.poll(countOf, WITHIN).toBe(GROWN);
    expect(await grow()).toBe(GROWN);
    const opened = await startReading();
    await publish(opened, 0, 1);
    await expect.poll(() => harness.committed.length, WITHIN).toBe(KEYS.length);
    await opened.bus.close();
    await expect(grow(PARTITIONS)).rejects.toThrow(GrowRefusedError);
  });
});
