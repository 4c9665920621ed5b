import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { type KafkaHarness, openKafkaHarness, PARTITIONS, storing } from '../../testing/kafka.harness.ts';

const WITHIN = { timeout: 60_000, interval: 50 };

/** A key for each partition, so that a message reaches every one of them. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] a claim of partitions that reaches the store late',
  { timeout: 180_000 },
  () => {
    let harness: KafkaHarness;
    /** Ends each tick of the consumer: true where it holds all of its partitions. */
    let tick: (() => Promise<boolean>) | null;

    beforeEach(async () => {
      tick = null;
      harness = await openForTest(openKafkaHarness());
    });

    const start = () =>
      harness.startBus({
        ...storing('writer'),
        assigned({ hold }) {
          tick = () => harness.transact((tx) => hold(tx));
        },
      });

    /** Claims every partition as a process does that was frozen before its claim reached the store. */
    function claimLate() {
      const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
      return harness.offsets.claim('writer', `${harness.prefix}${TOPICS.samples}`, partitions);
    }

    it('holds the reader to which the group gives the partitions up for a few heartbeats only', async () => {
      const { bus } = await start();
      const publish = (value: string) =>
        bus.publish(
          TOPICS.samples,
          KEYS.map((key) => ({ key, value: `${value}/${key}` })),
        );
      const all = (...values: string[]) =>
        values.flatMap((value) => KEYS.map((key) => `${value}/${key}`)).sort();
      const committed = () => harness.committed.map(String).sort();
      await publish('before');
      await expect.poll(committed, WITHIN).toEqual(all('before'));
      await claimLate();
      await publish('after');
      await expect.poll(committed, WITHIN).toEqual(all('after', 'before'));
      expect(bus.health()).toEqual({ ok: true, reasons: [] });
    });

    it('is followed by a new claim where no records arrive and the consumer holds its partitions at each tick', async () => {
      await start();
      await expect.poll(() => tick?.() ?? false, WITHIN).toBe(true);
      await claimLate();
      expect(await tick?.()).toBe(false);
      await expect.poll(() => tick?.() ?? false, WITHIN).toBe(true);
    });
  },
);
