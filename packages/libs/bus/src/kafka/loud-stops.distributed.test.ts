import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import {
  type KafkaHarness,
  type OpenedBus,
  openClient,
  openKafkaHarness,
  PARTITIONS,
  storing,
} from '../testing/kafka.harness.ts';
import { namedPartition } from './named-partition.ts';
import { createTopicsWithLeaders } from './topics/topics.ts';

const WITHIN = { interval: 100 };

/** Keys that together reach every partition. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] a log that changed stops its reader',
  () => {
    let harness: KafkaHarness;
    let topic: string;

    beforeEach(async () => {
      harness = await openForTest(openKafkaHarness());
      topic = `${harness.prefix}${TOPICS.samples}`;
    });

    const start = () => harness.startBus(storing('writer'));

    async function publish({ bus }: OpenedBus, value: string): Promise<void> {
      await bus.publish(
        TOPICS.samples,
        KEYS.map((key) => ({ key, value: `${value}/${key}` })),
      );
    }

    /** The keys with which a value was applied, as a set, since a new topic may receive a record twice. */
    function appliedKeys(value: string): Set<string> {
      const applied = harness.committed.map(String).filter((one) => one.startsWith(`${value}/`));
      return new Set(applied.map((one) => one.slice(value.length + 1)));
    }

    /** Publishes a value with each key and waits until all of these messages were applied. */
    async function apply(opened: OpenedBus, value: string): Promise<void> {
      await publish(opened, value);
      await expect.poll(() => appliedKeys(value), WITHIN).toEqual(new Set(KEYS));
    }

    async function saysWhy({ bus, stops }: OpenedBus, why: RegExp): Promise<void> {
      await expect.poll(() => stops, WITHIN).toEqual([expect.stringMatching(why)]);
      expect(stops[0]).toMatch(/docs\/distributed\.md/);
      expect(bus.health()).toMatchObject({ ok: false, reasons: [expect.stringContaining(stops[0] ?? '')] });
    }

    /** Deletes every record of the topic. */
    async function empty(): Promise<void> {
      const ends = await harness.admin.fetchTopicOffsets(topic);
      const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
      await harness.admin.deleteTopicRecords({ topic, partitions });
    }

    async function recreate(numPartitions = PARTITIONS, awayMs = 0): Promise<void> {
      await harness.admin.deleteTopics({ topics: [topic] });
      // The name of a deleted topic cannot be reused until the deletion has reached the disk.
      const isGone = async () => !(await harness.admin.listTopics()).includes(topic);
      await expect.poll(isGone, WITHIN).toBe(true);
      await sleep(awayMs);
      await createTopicsWithLeaders(harness.admin, [{ topic, numPartitions }]);
    }

    it('when unread records were deleted while the reader was stopped', async () => {
      const first = await start();
      await apply(first, 'one');
      await first.bus.close();
      const gateway = await harness.startBus();
      await publish(gateway, 'unread');
      await empty();
      await saysWhy(await start(), /lacks the records \d+ to \d+, which were not read yet/);
      expect(appliedKeys('unread')).toEqual(new Set());
    });

    it('but not when only records that the reader had read were deleted', async () => {
      const opened = await start();
      await apply(opened, 'one');
      await empty();
      await apply(opened, 'two');
      await apply(opened, 'three');
      expect(opened.stops).toEqual([]);
    });

    it('when unread records are deleted while the store is unavailable, although Kafka’s client would continue at another offset', async () => {
      const opened = await start();
      await apply(opened, 'one');
      harness.fail(new Error('the store is unavailable'));
      await publish(opened, 'held up');
      await expect.poll(() => opened.bus.health().ok, WITHIN).toBe(false);
      await publish(opened, 'deleted unread');
      await empty();
      harness.fail(null);
      await publish(opened, 'after it');
      await saysWhy(opened, /lacks the records \d+ to \d+, which were not read yet/);
      expect(appliedKeys('after it')).toEqual(new Set());
    });

    it('when the topic was recreated empty', async () => {
      const first = await start();
      await apply(first, 'one');
      await first.bus.close();
      await recreate();
      await saysWhy(await start(), /was emptied or recreated/);
    });

    it('when the topic was recreated and filled again', async () => {
      const first = await start();
      await apply(first, 'one');
      await first.bus.close();
      await recreate();
      const gateway = await harness.startBus();
      for (const value of ['two', 'three', 'four']) await publish(gateway, value);
      await saysWhy(await start(), /has another record at \d+ than the one that was applied/);
      expect(appliedKeys('four')).toEqual(new Set());
    });

    it('when the topic is recreated while the reader runs', async () => {
      const opened = await start();
      await apply(opened, 'one');
      await recreate();
      const producer = openClient().producer({ createPartitioner: () => namedPartition });
      await producer.connect();
      const messages = Array.from({ length: PARTITIONS }, (_, partition) => ({ partition, value: 'new' }));
      const stopped = async () => {
        await producer.send({ topic, messages });
        return opened.stops.length;
      };
      await expect.poll(stopped, WITHIN).toBe(1);
      await producer.disconnect();
      await saysWhy(opened, /was emptied or recreated|another record/);
    });

    it('when the topic is recreated and filled beyond the position of the reader before the next fetch', async () => {
      const opened = await start();
      await apply(opened, 'one');
      // Fetches fail while the topic does not exist, so that the reader pauses before its next fetch.
      await recreate(PARTITIONS, 1_500);
      const gateway = await harness.startBus();
      for (let each = 0; each < 5; each += 1) await publish(gateway, 'another');
      await saysWhy(opened, /was emptied or recreated|another record/);
      expect(appliedKeys('another')).toEqual(new Set());
    });

    it('when the number of partitions has changed, at the start of the reader and while it runs', async () => {
      const first = await start();
      await apply(first, 'one');
      await harness.admin.createPartitions({ topicPartitions: [{ topic, count: PARTITIONS + 2 }] });
      const why = new RegExp(
        `had ${PARTITIONS} partitions when it was read before, and has ${PARTITIONS + 2} now`,
      );
      const second = await start();
      await saysWhy(second, why);
      await expect(publish(second, 'two')).rejects.toThrow(why);
      // A member that joins the group causes a rebalance, in which the reader notices the new partitions.
      const member = openClient().consumer({ groupId: `${harness.prefix}tidewatch.writer` });
      await member.connect();
      await member.subscribe({ topic });
      await member.run({ eachMessage: async () => undefined });
      await saysWhy(first, why);
      await member.disconnect();
    });

    it('but not when the consumer group refuses the reader, which says so and reads once the group takes it', async () => {
      const assigner = () => ({
        name: 'another',
        version: 0,
        assign: async () => [],
        protocol: () => ({ name: 'another', metadata: Buffer.alloc(0) }),
      });
      const stranger = openClient().consumer({
        groupId: `${harness.prefix}tidewatch.writer`,
        partitionAssigners: [assigner],
      });
      await stranger.connect();
      await stranger.subscribe({ topic });
      await stranger.run({ eachMessage: async () => undefined });
      const opened = await start();
      await expect
        .poll(() => opened.bus.health().reasons, WITHIN)
        .toEqual([expect.stringMatching(/Kafka refuses a request \(INCONSISTENT_GROUP_PROTOCOL\)/)]);
      await stranger.disconnect();
      await apply(opened, 'taken');
      await expect.poll(() => opened.bus.health(), WITHIN).toEqual({ ok: true, reasons: [] });
      expect(opened.stops).toEqual([]);
    });
  },
);
