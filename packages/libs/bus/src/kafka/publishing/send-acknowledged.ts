import type { Message, Producer } from 'kafkajs';

/** A record, and the partition that it goes to. */
export type PartitionRecord = Message & { partition: number };

/**
 * Sends records; resolves once all in-sync replicas have them, to the first offset in each partition. Rejects with the
 * error of Kafka's client; some of the records may have been written then.
 */
export async function sendAcknowledged(
  producer: Pick<Producer, 'send'>,
  topic: string,
  records: readonly PartitionRecord[],
): Promise<ReadonlyMap<number, bigint>> {
  const bases = new Map<number, bigint>();
  // A send of kafkajs also resolves if it skipped a partition whose leader moved to a broker that had already answered
  // (https://github.com/tulios/kafkajs/issues/1303). Only partitions that the response names were written.
  for (let left = [...records]; left.length > 0; ) {
    const answers = await producer.send({ topic, acks: -1, messages: left });
    for (const { partition, baseOffset } of answers) bases.set(partition, BigInt(baseOffset ?? 0));
    const missing = left.filter(({ partition }) => !bases.has(partition));
    if (missing.length === left.length) throw new Error(`Kafka acknowledged no partition of ${topic}`);
    left = missing;
  }
  return bases;
}
