import type { Admin } from 'kafkajs';
import type { OffsetStore } from './offset-store.ts';

export const REMEDY =
  'Nothing is read until that is settled: see "A topic that changed" in docs/distributed.md.';

/** The topic's identity differs from the stored one; nothing is read or written until an operator decides. */
export class TopicChangedError extends Error {
  override name = 'TopicChangedError';
}

export interface TopicIdentityOptions {
  admin: Pick<Admin, 'describeCluster' | 'fetchTopicMetadata'>;
  offsets: Pick<OffsetStore<never>, 'remember'>;
}

/**
 * Compares the topic's identity with the stored one and returns its number of partitions. Throws TopicChangedError if they
 * differ, and the original error while Kafka or the store is unavailable.
 */
export async function identifyTopic(
  { admin, offsets }: TopicIdentityOptions,
  topic: string,
): Promise<number> {
  const { clusterId } = await admin.describeCluster();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const partitions = topics[0]?.partitions.length ?? 0;
  if (partitions === 0) throw new Error(`the topic ${topic} does not exist; the migration step creates it`);
  const known = await offsets.remember(topic, { clusterId, partitions });
  if (known.clusterId !== clusterId) {
    throw new TopicChangedError(
      `${topic} was read from the cluster ${known.clusterId}, and this is ${clusterId}. ${REMEDY}`,
    );
  }
  if (known.partitions !== partitions) {
    throw new TopicChangedError(
      `${topic} had ${known.partitions} partitions when it was read before, and has ${partitions} now. ${REMEDY}`,
    );
  }
  return partitions;
}
