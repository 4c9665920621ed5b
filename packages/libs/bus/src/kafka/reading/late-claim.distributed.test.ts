import { TOPICS } from '@tidewatch/contracts/events/topic';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Consumer, DONE } from '../../bus.ts';
import {
  type HarnessTx,
  type KafkaHarness,
  openKafkaHarness,
  PARTITIONS,
} from '../../testing/kafka.harness.ts';
import { createJsonFormat } from '../format/json-format.ts';

const WITHIN = { timeout: 60_000, interval: 50 };
const topics = new Map([
  [TOPICS.samples, { format: createJsonFormat<unknown>(), deadLetters: TOPICS.samplesDeadLetter }],
]);

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
      harness = await openKafkaHarness();
    });
    afterEach(() => harness.close());

    const storing: Consumer<unknown, HarnessTx> = {
      name: 'writer',
      async handle(batch, tx) {
        for (const { value } of batch) tx.put(value);
        return batch.map(() => DONE);
      },
      assigned({ hold }) {
        tick = () => harness.transact((tx) => hold(tx));
      },
    };

    async function start() {
      const { bus } = harness.openBus(topics);
      bus.subscribe(TOPICS.samples, storing);
      await bus.start();
      return bus;
    }

    /** Claims every partition as a process does that was frozen before its claim reached the store. */
    function claimLate() {
      const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
      return harness.offsets.claim('writer', `${harness.prefix}${TOPICS.samples}`, partitions);
    }

    it('holds the reader to which the group gives the partitions up for a few heartbeats only', async () => {
      const bus = await start();
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
