import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Admin, ITopicConfig } from 'kafkajs';

export interface TopicSettings {
  /** Partitions of the topic of samples; the other topics need fewer. */
  partitions: number;
  /** How long records are kept, hours. */
  retentionHours: number;
  /** Put before the names. */
  prefix?: string;
}

/** The largest record: one payload at all its bounds. */
const LARGEST_RECORD = 24 * 1024 * 1024;
const EVENT_PARTITIONS = 4;
const REPLICAS = 3;
const CREATE_MS = 30_000;
const LEADER_PAUSE_MS = 100;

/**
 * Creates the topics that are missing; what is there already stays as it is. Replication is 3 where there are three
 * brokers, and then two of them must have a record before it is acknowledged. Answers the topics that were created.
 */
export async function createTopics(admin: Admin, settings: TopicSettings): Promise<string[]> {
  const { brokers } = await admin.describeCluster();
  const replicas = Math.min(REPLICAS, brokers.length);
  const there = new Set(await admin.listTopics());
  const configEntries = Object.entries({
    'retention.ms': settings.retentionHours * 3_600_000,
    'max.message.bytes': LARGEST_RECORD,
    'min.insync.replicas': replicas >= REPLICAS ? 2 : 1,
    'unclean.leader.election.enable': false,
    'cleanup.policy': 'delete',
  }).map(([name, value]) => ({ name, value: String(value) }));
  const missing = [
    { topic: TOPICS.samples, numPartitions: settings.partitions },
    { topic: TOPICS.samplesDeadLetter, numPartitions: 1 },
    { topic: TOPICS.events, numPartitions: EVENT_PARTITIONS },
    { topic: TOPICS.eventsDeadLetter, numPartitions: 1 },
  ]
    .map((topic) => ({ ...topic, topic: `${settings.prefix ?? ''}${topic.topic}` }))
    .filter(({ topic }) => !there.has(topic));
  if (missing.length > 0) {
    const topics = missing.map((topic) => ({ ...topic, replicationFactor: replicas, configEntries }));
    await createTopicsWithLeaders(admin, topics);
  }
  return missing.map(({ topic }) => topic);
}

/**
 * Creates topics and waits until every partition has a leader. A broker may not know a topic yet just after the
 * controller made it, which the client's own waiting takes for a failure. Rejects after 30 seconds.
 */
export async function createTopicsWithLeaders(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  const deadline = Date.now() + CREATE_MS;
  await admin.createTopics({ topics, timeout: CREATE_MS });
  for (;;) {
    try {
      const known = await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
      const leaders = known.topics.map(({ partitions }) => partitions.map(({ leader }) => leader));
      if (leaders.every((those) => those.length > 0 && those.every((leader) => leader >= 0))) return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) throw new Error('the new topics got no leaders');
    await sleep(LEADER_PAUSE_MS);
  }
}
