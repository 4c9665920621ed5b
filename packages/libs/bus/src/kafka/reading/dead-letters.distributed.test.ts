import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { type Consumer, DONE } from '../../bus.ts';
import {
  type HarnessTx,
  type KafkaHarness,
  openClient,
  openKafkaHarness,
} from '../../testing/kafka.harness.ts';
import { RECORD_VERSION, RECORD_VERSION_WITH_PARTS, seal } from '../format/envelope.ts';
import { namedPartition } from '../named-partition.ts';
import { productTopics } from '../product-bus.ts';

const WITHIN = { interval: 100 };
const PARTITION = 1;
const heartbeat = (at: number) => ({ kind: 'heartbeat', at });

const storing: Consumer<unknown, HarnessTx> = {
  name: 'writer',
  async handle(batch, tx) {
    for (const { value, partition } of batch) if (partition === PARTITION) tx.put(value);
    return batch.map(() => DONE);
  },
};

function text(headers: IHeaders | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka] a record that cannot be read', () => {
  let harness: KafkaHarness;

  beforeEach(async () => {
    harness = await openForTest(openKafkaHarness());
  });

  /** Reads all records of the topic of dead letters. */
  async function buried(count: number): Promise<KafkaMessage[]> {
    const consumer = openClient().consumer({ groupId: `${harness.prefix}look` });
    const found: KafkaMessage[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic: `${harness.prefix}${TOPICS.samplesDeadLetter}`, fromBeginning: true });
    await consumer.run({ eachMessage: async ({ message }) => void found.push(message) });
    await expect.poll(() => found.length, WITHIN).toBeGreaterThanOrEqual(count);
    await consumer.disconnect();
    return found;
  }

  const sealed = seal(Buffer.from('nothing that we pack'));
  const altered = Buffer.from(sealed);
  altered[altered.length - 1] = 0;
  const another = Buffer.from(sealed);
  another[0] = RECORD_VERSION_WITH_PARTS + 1;

  it.each<[string, Buffer | null, RegExp]>([
    ['of another version', another, /^unreadable: the record has version 3/],
    ['with a wrong checksum', altered, /^unreadable: the checksum of the record is wrong/],
    ['whose contents are those of another program', sealed, /^unreadable: /],
    ['that is a text', Buffer.from('{"host":"web-01"}'), /^unreadable: the record has version 123/],
    ['that is too short', Buffer.from([RECORD_VERSION]), /^unreadable: the record is too short/],
    ['without a value', null, /^unreadable: the record is too short/],
  ])(
    '%s goes to the dead letters with reason, origin and time, and reading goes on',
    async (_, value, why) => {
      const { bus, stops } = harness.openBus(productTopics());
      bus.subscribe(TOPICS.samples, storing);
      await bus.start();
      const publish = (at: number) => bus.publish(TOPICS.samples, [{ key: '', value: heartbeat(at) }]);
      await publish(1);
      const stranger = openClient().producer({ createPartitioner: () => namedPartition });
      await stranger.connect();
      const before = Date.now();
      const topic = `${harness.prefix}${TOPICS.samples}`;
      const [sent] = await stranger.send({ topic, messages: [{ partition: PARTITION, value }] });
      await stranger.disconnect();
      await publish(2);
      await expect.poll(() => harness.committed, WITHIN).toEqual([heartbeat(1), heartbeat(2)]);
      const [letter] = await buried(1);
      expect(letter?.value).toEqual(value);
      const { time, ...rest } = text(letter?.headers);
      expect(rest).toEqual({
        reason: expect.stringMatching(why),
        consumer: 'writer',
        topic,
        partition: String(PARTITION),
        offset: sent?.baseOffset,
      });
      expect(Date.parse(time ?? '')).toBeGreaterThanOrEqual(before);
      expect([bus.health(), stops]).toEqual([{ ok: true, reasons: [] }, []]);
    },
  );
});
