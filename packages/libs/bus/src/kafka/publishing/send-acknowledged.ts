import type { Message, Producer } from 'kafkajs';

/** A record, and the partition that it goes to. */
export type PartitionRecord = Message & { partition: number };

/**
 * Sends records; resolves once all in-sync replicas have each of them, to the offset of the first one in each partition. Rejects
 * with the error of Kafka's client; some of the records may be in the log then.
 */
export async function sendAcknowledged(
  producer: Pick<Producer, 'send'>,
  topic: string,
  records: readonly PartitionRecord[],
): Promise<ReadonlyMap<number, bigint>> {
  const bases = new Map<number, bigint>();
  // A send of kafkajs also resolves when it has skipped a partition whose leader moved to a broker that had answered
  // for others (https://github.com/tulios/kafkajs/issues/1303). Only partitions that its answer names are in the log.
  for (let left = [...records]; left.length > 0; ) {
    const answers = await producer.send({ topic, acks: -1, messages: left });
    for (const { partition, baseOffset } of answers) bases.set(partition, BigInt(baseOffset ?? 0));
    const missing = left.filter(({ partition }) => !bases.has(partition));
    if (missing.length === left.length) throw new Error(`Kafka acknowledged no partition of ${topic}`);
    left = missing;
  }
  return bases;
}
