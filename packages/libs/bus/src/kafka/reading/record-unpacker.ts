import type { KafkaMessage } from 'kafkajs';
import type { DeadLetter } from '../../attempt.ts';
import type { Delivery } from '../../bus.ts';
import type { TopicFormat } from '../format/topic-format.ts';
import type { PartitionWork } from './partition-commit.ts';

/** Returns a function that decodes fetched records; `weight` of its result counts their bytes. */
export function recordUnpacker(topic: string, format: TopicFormat<unknown>, consumer: string) {
  return (partition: number, messages: readonly KafkaMessage[]): Omit<PartitionWork, 'move'> => {
    const deliveries: Delivery<unknown>[] = [];
    const unreadable: DeadLetter[] = [];
    let weight = 0;
    for (const { offset, value, timestamp } of messages) {
      weight += value?.length ?? 0;
      const shared = { topic, partition, offset: BigInt(offset), key: '', publishedAt: Number(timestamp) };
      try {
        for (const part of format.decode(value as Buffer)) deliveries.push({ ...shared, value: part });
      } catch (error) {
        const reason = `unreadable: ${error instanceof Error ? error.message : String(error)}`;
        unreadable.push({ delivery: { ...shared, value }, consumer, reason });
      }
    }
    return { deliveries, unreadable, weight };
  };
}
