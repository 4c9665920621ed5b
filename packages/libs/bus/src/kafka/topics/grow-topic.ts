import type { Admin } from 'kafkajs';
import type { Position } from '../position/offset-store.ts';

export interface GrowTopicOptions {
  admin: Pick<Admin, 'fetchTopicMetadata' | 'fetchTopicOffsets' | 'describeGroups' | 'createPartitions'>;
  topic: string;
  /** The consumers of the topic, with their groups in Kafka. */
  consumers: readonly { name: string; group: string }[];
  /** The number of partitions that the topic is to have. */
  partitions: number;
  /** The positions of a consumer in all partitions that it has ever read. */
  positions(consumer: string): Promise<readonly Pick<Position, 'partition' | 'nextOffset'>[]>;
  /** Returns the number of records that a consumer has processed only in part. */
  rests(consumer: string): Promise<number>;
  /** Stores the new number of partitions. */
  resize(partitions: number): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/** The topic cannot grow now without putting samples of a host out of order; the message says what to do first. */
export class GrowRefusedError extends Error {
  override name = 'GrowRefusedError';
}

/** How long to wait to see whether a gateway still publishes, ms: longer than the interval of its heartbeats. */
const QUIET_MS = 3_000;
const LEADER_TRIES = 20;
const LEADER_PAUSE_MS = 250;

/**
 * Adds partitions to a topic. Since hosts move to other partitions, no gateway may publish, no consumer may read, and every
 * record must have been applied. Returns the former number of partitions; can be repeated after a failure. Throws
 * GrowRefusedError.
 */
export async function growTopic(options: GrowTopicOptions): Promise<number> {
  const { admin, topic, partitions } = options;
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const before = topics[0]?.partitions.length ?? 0;
  if (before > partitions) {
    throw new GrowRefusedError(`${topic} has ${before} partitions, and Kafka cannot remove partitions.`);
  }
  await refuseMembers(options);
  const ends = await endsOf(options);
  await options.sleep(QUIET_MS);
  const later = await endsOf(options);
  if (later.some(({ partition, high }) => ends.find((one) => one.partition === partition)?.high !== high)) {
    throw new GrowRefusedError(`Something still publishes to ${topic}: stop every gateway first.`);
  }
  await refuseLag(options, later);
  if (before < partitions) {
    await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
  }
  await waitForLeaders(options);
  await options.resize(partitions);
  return before;
}

/**
 * Waits until each partition has a leader, because Kafka's client duplicates records of other partitions when it retries a
 * send to one without a leader.
 */
async function waitForLeaders(options: GrowTopicOptions): Promise<void> {
  for (let left = LEADER_TRIES; (await endsOf(options)).length < options.partitions; left -= 1) {
    if (left === 0)
      throw new Error(
        `timeout: the new partitions of ${options.topic} have no leaders; check the brokers and run this again`,
      );
    await options.sleep(LEADER_PAUSE_MS);
  }
}

async function refuseMembers({ admin, consumers }: GrowTopicOptions): Promise<void> {
  const { groups } = await admin.describeGroups(consumers.map(({ group }) => group));
  for (const { groupId, members } of groups) {
    if (members.length === 0) continue;
    throw new GrowRefusedError(
      `${members.length} processes still read as ${groupId}: stop every writer and evaluator first. One that was killed counts for some ten seconds.`,
    );
  }
}

/** Returns the end offsets of the partitions; waits for the leader of a new partition, which has none at first. */
async function endsOf({ admin, topic, sleep }: GrowTopicOptions) {
  for (let left = LEADER_TRIES; ; left -= 1) {
    try {
      return await admin.fetchTopicOffsets(topic);
    } catch (error) {
      if (left === 0 || !(error as { retriable?: boolean }).retriable) throw error;
      await sleep(LEADER_PAUSE_MS);
    }
  }
}

async function refuseLag(
  { topic, consumers, positions, rests }: GrowTopicOptions,
  ends: readonly { partition: number; low: string; high: string }[],
): Promise<void> {
  for (const { name } of consumers) {
    const stand = new Map((await positions(name)).map((row) => [row.partition, row.nextOffset]));
    let left = BigInt(await rests(name));
    for (const { partition, low, high } of ends) {
      const next = stand.get(partition) ?? BigInt(low);
      left += next > BigInt(high) ? next - BigInt(high) : BigInt(high) - next;
    }
    if (left === 0n) continue;
    throw new GrowRefusedError(
      `The ${name} has ${left} records of ${topic} left: start it again, without gateways, until it has read them.`,
    );
  }
}
