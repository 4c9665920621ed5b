import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import type { Installation } from '../harness/installation.ts';

const WITHIN_MS = 60_000;

/** Reads the records of a topic from its beginning to its current end. */
export async function readTopic(
  { kafka, admin, prefix }: Installation,
  topic: string,
): Promise<KafkaMessage[]> {
  const name = prefix + topic;
  const ends = new Map(
    (await admin.fetchTopicOffsets(name))
      .filter(({ low, high }) => low !== high)
      .map(({ partition, high }) => [partition, BigInt(high)]),
  );
  const records: KafkaMessage[] = [];
  if (ends.size === 0) return records;
  const consumer = kafka.consumer({ groupId: `${name}-check-${randomBytes(4).toString('hex')}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic: name, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      async eachBatch({ batch }) {
        records.push(...batch.messages);
        const last = batch.messages.at(-1);
        if (last && BigInt(last.offset) + 1n >= (ends.get(batch.partition) ?? 0n))
          ends.delete(batch.partition);
      },
    });
    for (const deadline = performance.now() + WITHIN_MS; ends.size > 0; await sleep(20))
      if (performance.now() > deadline) throw new Error(`${name} could not be read to its end`);
  } finally {
    await consumer.disconnect();
  }
  return records;
}
