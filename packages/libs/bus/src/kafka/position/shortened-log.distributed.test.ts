import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { type OwnKafka, ownKafkaObstacle, startOwnKafka } from '@tidewatch/harness/parts/own-kafka';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Consumer, DONE } from '../../bus.ts';
import {
  type HarnessTx,
  type KafkaHarness,
  type OpenedBus,
  openKafkaHarness,
  PARTITIONS,
} from '../../testing/kafka.harness.ts';
import { createJsonFormat } from '../format/json-format.ts';

const WITHIN = { timeout: 60_000, interval: 100 };
const KEY = 'one host';
const topics = new Map([
  [TOPICS.samples, { format: createJsonFormat<unknown>(), deadLetters: TOPICS.samplesDeadLetter }],
]);
const possible = inject('kafka').state !== 'lacked' && ownKafkaObstacle() === null;

function storing(name: string): Consumer<unknown, HarnessTx> {
  return {
    name,
    async handle(batch, tx) {
      for (const { value } of batch) tx.put(`${name} ${value}`);
      return batch.map(() => DONE);
    },
  };
}

/** A consumer that waits in the transaction that stores `record` until it may leave. */
function waitingAt(record: string) {
  const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writer = storing('writer');
  const consumer: Consumer<unknown, HarnessTx> = {
    ...writer,
    async handle(batch, tx) {
      if (batch.some(({ value }) => value === record)) {
        entered.resolve();
        await left.promise;
      }
      return writer.handle(batch, tx);
    },
  };
  return { consumer, entered: entered.promise, leave: left.resolve };
}

describe.skipIf(!possible)('[needs Kafka] a log that has lost its end', () => {
  let kafka: OwnKafka;
  let harness: KafkaHarness;
  let topic: string;

  beforeAll(async () => {
    kafka = await startOwnKafka();
  }, 180_000);
  afterAll(() => kafka?.close());
  beforeEach(async () => {
    await kafka.start();
    harness = await openKafkaHarness({ brokers: [kafka.brokers] });
    topic = `${harness.prefix}${TOPICS.samples}`;
  });
  afterEach(() => harness.close());

  async function open(...consumers: string[]): Promise<OpenedBus> {
    const opened = harness.openBus(topics);
    for (const name of consumers) opened.bus.subscribe(TOPICS.samples, storing(name));
    await opened.bus.start();
    return opened;
  }

  /** Publishes each value as one record, all to the same partition. */
  async function publish({ bus }: OpenedBus, ...values: string[]): Promise<void> {
    for (const value of values) {
      const send = () => bus.publish(TOPICS.samples, [{ key: KEY, value }]).then(() => true);
      await expect.poll(() => send().catch(() => false), WITHIN).toBe(true);
    }
  }

  const applied = (name: string) =>
    harness.committed
      .map(String)
      .flatMap((text) => (text.startsWith(`${name} `) ? [text.slice(name.length + 1)] : []));

  async function partition(): Promise<number> {
    const ends = await harness.admin.fetchTopicOffsets(topic);
    return ends.find(({ high }) => Number(high) > 1)?.partition ?? -1;
  }

  /** Stops the broker, cuts the log after `kept` records, appends copies of its first, and starts it again. */
  async function lose(kept: bigint, copies = 0): Promise<number> {
    const number = await partition();
    await kafka.stop();
    kafka.cut(topic, number, kept);
    kafka.appendFirst(topic, number, copies);
    await kafka.start();
    return number;
  }

  const OLD = ['a', 'b', 'c', 'd', 'e', 'f'];

  it.each([
    ['when fewer records are written after the loss', ['new 1']],
    ['when as many records are written after the loss', ['new 1', 'new 2']],
    ['when more records are written after the loss', ['new 1', 'new 2', 'new 3']],
  ])(
    'is gone on with by consumers that run and had stored what it lost, %s',
    { timeout: 180_000 },
    async (_name, values) => {
      const opened = await open('writer', 'evaluator');
      await publish(opened, ...OLD);
      for (const name of ['writer', 'evaluator']) await expect.poll(() => applied(name), WITHIN).toEqual(OLD);
      const number = await lose(4n);
      await publish(opened, ...values);
      for (const name of ['writer', 'evaluator'])
        await expect.poll(() => applied(name), WITHIN).toEqual([...OLD, ...values]);
      expect(opened.stops).toEqual([]);
      expect(opened.rewinds).toHaveLength(2);
      expect(opened.rewinds).toEqual(
        expect.arrayContaining(
          ['writer', 'evaluator'].map((consumer) => ({ consumer, partition: number, from: 6n, to: 4n })),
        ),
      );
      await expect.poll(() => opened.bus.health(), WITHIN).toEqual({ ok: true, reasons: [] });
    },
  );

  it.each([
    ['before', 1],
    ['at', 2],
    ['after', 3],
  ])(
    'is gone on with by consumers that find, once they reach the broker again, that it ends right %s the position that they had stored',
    { timeout: 180_000 },
    async (_name, copies) => {
      const opened = await open('writer');
      await publish(opened, ...OLD);
      await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD);
      await lose(4n, copies);
      await expect.poll(() => applied('writer'), WITHIN).toEqual([...OLD, ...Array(copies).fill('a')]);
      expect(opened.rewinds).toMatchObject([{ consumer: 'writer', from: 6n, to: 4n }]);
      expect(opened.stops).toEqual([]);
    },
  );

  it.each([
    ['fewer', 1],
    ['as many', 2],
    ['more', 3],
  ])(
    'is gone on with by a consumer that stored a lost record after the loss, when %s records were written since',
    { timeout: 180_000 },
    async (_name, copies) => {
      const { consumer, entered, leave } = waitingAt('f');
      const opened = harness.openBus(topics);
      opened.bus.subscribe(TOPICS.samples, consumer);
      await opened.bus.start();
      await publish(opened, ...OLD.slice(0, -1));
      await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD.slice(0, -1));
      await publish(opened, 'f');
      await entered;
      await lose(4n, copies).finally(leave);
      await expect.poll(() => applied('writer').at(-1), WITHIN).toBe('a');
      await publish(opened, 'last');
      await expect.poll(() => applied('writer').at(-1), WITHIN).toBe('last');
      expect(applied('writer')).toEqual([...OLD, ...Array(copies).fill('a'), 'last']);
      expect(opened.stops).toEqual([]);
    },
  );

  it('is gone on with by a consumer that was storing records of another partition while the log was lost and filled up to its position', {
    timeout: 180_000,
  }, async () => {
    const { consumer, entered, leave } = waitingAt('slow');
    const opened = harness.openBus(topics);
    opened.bus.subscribe(TOPICS.samples, consumer);
    await opened.bus.start();
    await publish(opened, ...OLD);
    await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD);
    const partitionOf = (key: string) => crc32(key) % PARTITIONS;
    const otherKey = ['1', '2', '3', '4', '5'].find((key) => partitionOf(key) !== partitionOf(KEY)) ?? '';
    await opened.bus.publish(TOPICS.samples, [{ key: otherKey, value: 'slow' }]);
    await entered;
    await lose(4n, 2).finally(leave);
    await expect.poll(() => applied('writer'), WITHIN).toContain('slow');
    await publish(opened, 'last');
    await expect.poll(() => applied('writer'), WITHIN).toContain('last');
    expect(applied('writer').filter((value) => value !== 'slow')).toEqual([...OLD, 'a', 'a', 'last']);
  });

  it.each([
    ['that received fewer records than it lost', ['new 1']],
    ['that received as many records as it lost', ['new 1', 'new 2']],
    ['that received more records than it lost', ['new 1', 'new 2', 'new 3', 'new 4']],
  ])(
    '%s, is read from its first new record by consumers that start',
    { timeout: 180_000 },
    async (_name, values) => {
      const first = await open('writer');
      await publish(first, ...OLD);
      await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD);
      await first.bus.close();
      const number = await lose(4n);
      await publish(await open(), ...values);
      const second = await open('writer');
      await expect.poll(() => applied('writer'), WITHIN).toEqual([...OLD, ...values]);
      expect(second.rewinds).toEqual([{ consumer: 'writer', partition: number, from: 6n, to: 4n }]);
      await publish(second, 'last');
      await expect.poll(() => applied('writer'), WITHIN).toEqual([...OLD, ...values, 'last']);
      expect(second.stops).toEqual([]);
    },
  );

  it('is read on by a consumer that had read beyond the new end and by one that had not, each from its own position', {
    timeout: 180_000,
  }, async () => {
    const both = await open('writer', 'evaluator');
    await publish(both, 'a', 'b', 'c');
    await expect.poll(() => applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c']);
    await both.bus.close();
    const writer = await open('writer');
    await publish(writer, 'd', 'e', 'f');
    await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD);
    await writer.bus.close();
    await lose(5n);
    const again = await open('writer', 'evaluator');
    await publish(again, 'new');
    await expect.poll(() => applied('writer'), WITHIN).toEqual([...OLD, 'new']);
    await expect.poll(() => applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c', 'd', 'e', 'new']);
    expect(again.rewinds).toMatchObject([{ consumer: 'writer', from: 6n, to: 5n }]);
  });

  it('still has the stored rest of a lost record processed, and reading continues after that record', {
    timeout: 180_000,
  }, async () => {
    const opened = harness.openBus(topics);
    let waits = true;
    opened.bus.subscribe<unknown>(TOPICS.samples, {
      name: 'evaluator',
      async handle(batch, tx) {
        // Read once, since the test ends the wait while this sleeps.
        const left = new Set(waits ? batch.filter(({ value }) => value === 'storm') : []);
        for (const delivery of batch) if (!left.has(delivery)) tx.put(`evaluator ${delivery.value}`);
        if (left.size === batch.length) await sleep(50);
        return batch.map((delivery) =>
          left.has(delivery) ? { kind: 'part', done: null, rest: delivery.value } : DONE,
        );
      },
    });
    await opened.bus.start();
    await publish(opened, 'a', 'b', 'storm', 'c', 'd');
    await expect.poll(() => applied('evaluator'), WITHIN).toEqual(['a', 'b', 'c', 'd']);
    const number = await lose(2n);
    await publish(opened, 'new 1', 'new 2', 'new 3', 'new 4');
    const others = ['a', 'b', 'c', 'd', 'new 1', 'new 2', 'new 3', 'new 4'];
    await expect.poll(() => applied('evaluator'), WITHIN).toEqual(others);
    expect(opened.rewinds).toEqual([{ consumer: 'evaluator', partition: number, from: 5n, to: 2n }]);
    waits = false;
    await expect.poll(() => applied('evaluator'), WITHIN).toEqual([...others, 'storm']);
    expect(await harness.owner`select 1 from consumer_rests`).toEqual([]);
    expect(opened.stops).toEqual([]);
  });

  it('stops consumers if it has none of the records whose checkpoints they know', {
    timeout: 180_000,
  }, async () => {
    const first = await open('writer');
    await publish(first, ...OLD);
    await expect.poll(() => applied('writer'), WITHIN).toEqual(OLD);
    await first.bus.close();
    await lose(0n);
    const second = await open('writer');
    await expect
      .poll(() => second.stops, WITHIN)
      .toEqual([expect.stringMatching(/was emptied or recreated/)]);
    expect([second.rewinds, applied('writer')]).toEqual([[], OLD]);
  });
});
