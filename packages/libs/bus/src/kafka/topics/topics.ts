import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';

export interface TopicSettings {
  /** The number of partitions of the topic of samples; other topics have fewer. */
  partitions: number;
  /** The time for which Kafka keeps records, hours. */
  retentionHours: number;
  /** The prefix of each topic's name. */
  prefix?: string;
}

// Destructured, because Node sees only the default export of this CommonJS module.
const { ConfigResourceTypes } = kafkajs;

/** The max size of a record: a payload that reaches every limit. */
const MAX_RECORD = 24 * 1024 * 1024;
const EVENT_PARTITIONS = 4;
const REPLICAS = 3;
const CREATE_MS = 30_000;
const LEADER_PAUSE_MS = 100;

/** The code with which Kafka marks a setting of the topic itself, as opposed to a default of the broker. */
const SET_FOR_TOPIC = 1;

/**
 * The settings that make acknowledged records durable: two replicas if there are two brokers; with fewer than three
 * replicas, each one also writes to disk before it acknowledges, since a power failure may stop all of them.
 */
function durability(replicas: number): Record<string, string> {
  return {
    'min.insync.replicas': String(Math.min(2, replicas)),
    ...(replicas < REPLICAS ? { 'flush.messages': '1' } : {}),
  };
}

/**
 * Creates the missing topics, with three replicas where there are three brokers. Of existing topics it changes only the
 * settings that keep acknowledged records (`durability`). Returns the topics that were created.
 */
export async function createTopics(admin: Admin, settings: TopicSettings): Promise<string[]> {
  const { brokers } = await admin.describeCluster();
  const replicas = Math.min(REPLICAS, brokers.length);
  const there = new Set(await admin.listTopics());
  const configEntries = Object.entries({
    'retention.ms': settings.retentionHours * HOUR_MS,
    'max.message.bytes': MAX_RECORD,
    'unclean.leader.election.enable': false,
    'cleanup.policy': 'delete',
    ...durability(replicas),
  }).map(([name, value]) => ({ name, value: String(value) }));
  const wanted = [
    { topic: TOPICS.samples, numPartitions: settings.partitions },
    { topic: TOPICS.samplesDeadLetter, numPartitions: 1 },
    { topic: TOPICS.events, numPartitions: EVENT_PARTITIONS },
    { topic: TOPICS.eventsDeadLetter, numPartitions: 1 },
  ].map((topic) => ({ ...topic, topic: `${settings.prefix ?? ''}${topic.topic}` }));
  const missing = wanted.filter(({ topic }) => !there.has(topic));
  for (const { topic } of wanted) if (there.has(topic)) await keepDurable(admin, topic);
  if (missing.length > 0) {
    const topics = missing.map((topic) => ({ ...topic, replicationFactor: replicas, configEntries }));
    await createTopicsWithLeaders(admin, topics);
  }
  return missing.map(({ topic }) => topic);
}

/** Sets the settings of `durability` on an existing topic, also where they have other values, and keeps all its other settings. */
async function keepDurable(admin: Admin, topic: string): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const replicas = Math.min(...(topics[0]?.partitions ?? []).map((partition) => partition.replicas.length));
  if (!Number.isFinite(replicas)) return;
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic };
  const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
  const entries = resources[0]?.configEntries ?? [];
  const wanted = durability(replicas);
  const has = (name: string) => entries.find(({ configName }) => configName === name)?.configValue;
  if (Object.entries(wanted).every(([name, value]) => has(name) === value)) return;
  const kept = entries
    .filter(({ configName, configSource }) => configSource === SET_FOR_TOPIC && !(configName in wanted))
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }));
  const set = Object.entries(wanted).map(([name, value]) => ({ name, value }));
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ ...resource, configEntries: [...kept, ...set] }],
  });
}

/**
 * Creates topics and waits up to 30 seconds until every partition has a leader that answers. kafkajs' own wait fails on a
 * broker that does not know a new topic yet.
 */
export async function createTopicsWithLeaders(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  const deadline = Date.now() + CREATE_MS;
  await admin.createTopics({ topics, timeout: CREATE_MS, waitForLeaders: false });
  for (;;) {
    try {
      const known = await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
      const leaders = known.topics.map(({ partitions }) => partitions.map(({ leader }) => leader));
      if (leaders.every((those) => those.length > 0 && those.every((leader) => leader >= 0))) {
        // A leader answers only once its broker has taken the partition over, some time after the metadata name it.
        for (const { topic } of topics) await admin.fetchTopicOffsets(topic);
        return;
      }
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline)
      throw new Error(
        'timeout: the new topics have no leaders after 30 seconds; check the brokers and migrate again',
      );
    await sleep(LEADER_PAUSE_MS);
  }
}
