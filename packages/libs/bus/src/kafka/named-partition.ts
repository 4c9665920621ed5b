import type { PartitionerArgs } from 'kafkajs';

/**
 * A partitioner that returns the partition that the message names, since Kafka's client calls the partitioner even then.
 */
export function namedPartition({ message }: PartitionerArgs): number {
  if (message.partition === undefined) throw new Error('the message names no partition');
  return message.partition;
}
