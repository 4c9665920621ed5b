import type { ProducerRecord, RecordMetadata } from 'kafkajs';
import { expect, it } from 'vitest';
import { sendAcknowledged } from './send-acknowledged.ts';

/** A producer whose responses name only these partitions, one list for each send. */
function answering(...named: readonly (readonly number[])[]) {
  const sends: ProducerRecord[] = [];
  return {
    sends,
    async send(record: ProducerRecord): Promise<RecordMetadata[]> {
      const partitions = named[sends.length] ?? [];
      sends.push(record);
      return partitions.map((partition) => ({
        topicName: 't',
        partition,
        errorCode: 0,
        baseOffset: String(sends.length * 10 + partition),
      }));
    },
  };
}

const records = [0, 1, 2, 1].map((partition, index) => ({ partition, value: Buffer.from([index]) }));

it('sends records once when the response of Kafka names all of their partitions', async () => {
  const producer = answering([0, 1, 2]);
  const bases = await sendAcknowledged(producer, 't', records);
  expect([...bases]).toEqual([
    [0, 10n],
    [1, 11n],
    [2, 12n],
  ]);
  expect(producer.sends).toEqual([{ topic: 't', acks: -1, messages: records }]);
});

it('resends the records of partitions that a response of Kafka omits, in order, until each is named', async () => {
  const producer = answering([0], [2], [1]);
  const bases = await sendAcknowledged(producer, 't', records);
  expect(Object.fromEntries(bases)).toEqual({ 0: 10n, 2: 22n, 1: 31n });
  expect(producer.sends.map(({ messages }) => messages)).toEqual([
    records,
    [records[1], records[2], records[3]],
    [records[1], records[3]],
  ]);
});

it('rejects when a response of Kafka names none of the remaining partitions', async () => {
  const producer = answering([0], [0]);
  await expect(sendAcknowledged(producer, 't', records)).rejects.toThrow('acknowledged no partition of t');
  expect(producer.sends).toHaveLength(2);
});

it('sends nothing when there are no records', async () => {
  const producer = answering();
  expect((await sendAcknowledged(producer, 't', [])).size).toBe(0);
  expect(producer.sends).toHaveLength(0);
});
