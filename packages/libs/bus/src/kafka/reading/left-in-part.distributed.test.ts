import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { type Consumer, DONE, type Verdict } from '../../bus.ts';
import {
  type HarnessTx,
  jsonFormat,
  type KafkaHarness,
  type OpenedBus,
  openKafkaHarness,
  PARTITIONS,
} from '../../testing/kafka.harness.ts';

const WITHIN = { timeout: 60_000, interval: 50 };

/** A consumer that processes texts whole, except `storm <n>`: one number from 0 to n in each transaction. */
function inParts(): Consumer<unknown, HarnessTx> {
  return {
    name: 'evaluator',
    async handle(batch, tx) {
      await sleep(5);
      return batch.map(({ value }): Verdict => {
        const [kind, to, at = 0] = String(value).split(' ');
        if (kind !== 'storm') {
          tx.put(value);
          return DONE;
        }
        tx.put(`storm ${at}`);
        const rest = `storm ${to} ${Number(at) + 1}`;
        return Number(at) + 1 < Number(to) ? { kind: 'part', done: null, rest } : DONE;
      });
    },
  };
}

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] a record that is processed in part',
  { timeout: 300_000 },
  () => {
    let harness: KafkaHarness;

    beforeEach(async () => {
      harness = await openForTest(openKafkaHarness());
    });

    const open = () => harness.startBus(inParts());

    /** A key whose messages go to the partition. */
    function keyIn(partition: number): string {
      for (let index = 0; ; index += 1)
        for (const [found] of jsonFormat.route({ key: `key-${index}`, value: null }, PARTITIONS))
          if (found === partition) return `key-${index}`;
    }

    const publish = ({ bus }: OpenedBus, partition: number, value: string) =>
      bus.publish(TOPICS.samples, [{ key: keyIn(partition), value }]);
    const storm = () => harness.committed.filter((value) => String(value).startsWith('storm'));
    const whole = (count: number) => Array.from({ length: count }, (_, index) => `storm ${index}`);

    it('delays no other record of its partition, and no other partition of its broker', async () => {
      const opened = await open();
      await publish(opened, 0, 'storm 2000');
      await expect.poll(() => storm().length, WITHIN).toBeGreaterThan(0);
      await publish(opened, 0, 'same partition');
      await publish(opened, 1, 'another partition');
      const others = () => harness.committed.filter((value) => String(value).endsWith('partition'));
      await expect.poll(() => others().length, WITHIN).toBe(2);
      const positions = await harness.owner`
      select next_offset::integer as next from consumer_offsets where partition = 0 and consumer = 'evaluator'`;
      expect([positions, storm().length < 2_000]).toEqual([[{ next: 2 }], true]);
    });

    it('is continued by another reader when a reader joins, leaves or is fenced, and each part is processed once', async () => {
      const first = await open();
      for (const partition of [0, 1, 2]) await publish(first, partition, 'storm 600');
      const passes = async (count: number) => {
        const wanted = storm().length + count;
        await expect.poll(() => storm().length, WITHIN).toBeGreaterThanOrEqual(wanted);
      };
      await passes(30);
      const second = await open();
      await passes(30);
      await first.bus.close();
      await passes(30);
      // Simulates another process that claims the partitions and then ends.
      await harness.owner`update consumer_offsets set epoch = epoch + 1 where consumer = 'evaluator'`;
      await open();
      await second.bus.close();
      await expect.poll(() => harness.owner`select 1 from consumer_rests`, WITHIN).toEqual([]);
      expect(storm().toSorted()).toEqual([...whole(600), ...whole(600), ...whole(600)].toSorted());
    });

    it('is neither lost nor duplicated when transactions fail meanwhile', async () => {
      const opened = await open();
      await publish(opened, 0, 'storm 100');
      await expect.poll(() => storm().length, WITHIN).toBeGreaterThan(0);
      harness.fail(Object.assign(new Error('the store is unavailable'), { code: 'ECONNREFUSED' }));
      await sleep(300);
      const before = storm().length;
      expect(before).toBeLessThan(100);
      harness.fail(null);
      await expect.poll(() => storm().length, WITHIN).toBe(100);
      expect(storm()).toEqual(whole(100));
    });
  },
);
