import type { PartitionerArgs } from 'kafkajs';

/** The partition that a message names: Kafka's client asks a partitioner even then. */
export function namedPartition({ message }: PartitionerArgs): number {
  if (message.partition === undefined) throw new Error('the message names no partition');
  return message.partition;
}
