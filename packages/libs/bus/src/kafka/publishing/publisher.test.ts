import type { ProducerRecord } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { BusUnavailableError } from '../../bus.ts';
import type { TopicFormat } from '../format/topic-format.ts';
import { createPublisher } from './publisher.ts';

/** A format of plain texts in which the key is the partition. */
const format: TopicFormat<string> = {
  route: ({ key, value }) => [[Number(key), value]],
  open() {
    const values: string[] = [];
    return {
      length: () => values.join('').length,
      add: (value) => void values.push(value),
      finish: () => Buffer.from(values.join('|')),
    };
  },
  decode: (record) => record.toString().split('|'),
};

/** A producer that acknowledges a send only when the test calls `acknowledge`. */
function openPublisher(
  limits: { recordBytes?: number; unacknowledgedBytes?: number; patienceMs?: number; lingerMs?: number } = {},
) {
  const sends: {
    record: ProducerRecord;
    /** Acknowledges the records of these partitions; of all partitions by default. */
    acknowledge(partitions?: readonly number[]): void;
    fail(error: Error): void;
  }[] = [];
  const failures: unknown[] = [];
  const publisher = createPublisher<string>({
    topic: 't',
    partitions: 4,
    format,
    lingerMs: 1,
    patienceMs: 60_000,
    recordBytes: 100,
    unacknowledgedBytes: 1_000,
    ...limits,
    onFailure: (error) => failures.push(error),
    producer: {
      send: (record) =>
        new Promise((resolve, reject) => {
          const answers = record.messages.map(({ partition = 0 }) => ({
            topicName: 't',
            partition,
            errorCode: 0,
            baseOffset: '0',
          }));
          const acknowledge = (named = answers.map(({ partition }) => partition)) =>
            resolve(answers.filter(({ partition }) => named.includes(partition)));
          sends.push({ record, acknowledge, fail: reject });
        }),
    },
  });
  return { publisher, sends, failures };
}

const publish = (publisher: ReturnType<typeof openPublisher>['publisher'], value: string, key = '0') =>
  publisher.publish([{ key, value }]);

describe('createPublisher', () => {
  it('returns the places of the records of a publication if they are requested, and null otherwise', async () => {
    // Both publications share one send, even if the machine pauses between them.
    const { publisher, sends } = openPublisher({ recordBytes: 4, lingerMs: 1_000 });
    const silent = publish(publisher, 'aaaa');
    const message = (key: string, value: string) => ({ key, value });
    // The first record of the partition is full, and the fourth value begins the third record.
    const messages = [message('0', 'bb'), message('0', 'cc'), message('3', 'd'), message('0', 'e')];
    const asked = publisher.publish(messages, true);
    await expect.poll(() => sends).toHaveLength(1);
    sends[0]?.acknowledge();
    expect(await silent).toBeNull();
    expect(await asked).toEqual([
      { topic: 't', partition: 0, offset: 1n },
      { topic: 't', partition: 3, offset: 0n },
      { topic: 't', partition: 0, offset: 2n },
    ]);
  });

  it('runs one send at a time, and packs what arrives meanwhile into one record for each partition', async () => {
    const { publisher, sends } = openPublisher();
    const first = publish(publisher, 'a');
    await expect.poll(() => sends).toHaveLength(1);
    const others = [publish(publisher, 'b'), publish(publisher, 'c', '3'), publish(publisher, 'd')];
    sends[0]?.acknowledge();
    await first;
    await expect.poll(() => sends).toHaveLength(2);
    expect(sends[1]?.record).toMatchObject({
      acks: -1,
      messages: [
        { partition: 0, value: Buffer.from('b|d') },
        { partition: 3, value: Buffer.from('c') },
      ],
    });
    sends[1]?.acknowledge();
    await Promise.all(others);
  });

  it('starts another record when one is full', async () => {
    const { publisher, sends } = openPublisher({ recordBytes: 5 });
    const all = ['aaa', 'bb', 'c'].map((value) => publish(publisher, value));
    await expect.poll(() => sends).toHaveLength(1);
    expect(sends[0]?.record.messages.map(({ value }) => String(value))).toEqual(['aaa|bb', 'c']);
    sends[0]?.acknowledge();
    await Promise.all(all);
  });

  it('refuses a publication at once when too many bytes are not acknowledged', async () => {
    const { publisher, sends } = openPublisher({ unacknowledgedBytes: 10 });
    const first = publish(publisher, 'x'.repeat(6));
    await expect.poll(() => sends).toHaveLength(1);
    const second = publish(publisher, 'y'.repeat(4));
    await expect(publish(publisher, 'z')).rejects.toBeInstanceOf(BusUnavailableError);
    sends[0]?.acknowledge();
    await first;
    await expect.poll(() => sends).toHaveLength(2);
    const third = publish(publisher, 'z');
    sends[1]?.acknowledge();
    await second;
    await expect.poll(() => sends).toHaveLength(3);
    sends[2]?.acknowledge();
    await third;
  });

  it('rejects publications after a timeout, and reports the failure until Kafka accepts a record again', async () => {
    const { publisher, sends } = openPublisher({ patienceMs: 20 });
    await expect(publish(publisher, 'a')).rejects.toMatchObject({ retryAfterSeconds: 2 });
    expect(publisher.failure()).toMatch(/no acknowledgement/);
    sends[0]?.acknowledge();
    await expect.poll(() => publisher.failure()).toBeNull();
  });

  it('refuses publications that Kafka refuses, and reports the first failure only', async () => {
    const { publisher, sends, failures } = openPublisher();
    for (const round of [0, 1]) {
      const publication = publish(publisher, 'a');
      await expect.poll(() => sends).toHaveLength(round + 1);
      sends[round]?.fail(new Error('not enough replicas'));
      await expect(publication).rejects.toBeInstanceOf(BusUnavailableError);
    }
    expect(failures).toHaveLength(1);
  });

  it('resolves a publication only once responses have named the partitions of all of its records', async () => {
    const { publisher, sends } = openPublisher({ lingerMs: 1_000 });
    const settled: string[] = [];
    const publications = ['0', '3'].map((key) =>
      publish(publisher, key, key).then(() => void settled.push(key)),
    );
    await expect.poll(() => sends).toHaveLength(1);
    sends[0]?.acknowledge([0]);
    await expect.poll(() => sends).toHaveLength(2);
    expect(settled).toEqual([]);
    expect(sends[1]?.record.messages).toEqual([{ partition: 3, value: Buffer.from('3') }]);
    sends[1]?.acknowledge();
    await Promise.all(publications);
    expect(Object.fromEntries(publisher.published())).toEqual({ 0: 0n, 3: 0n });
  });
});
