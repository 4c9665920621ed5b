import { TOPICS } from '@tidewatch/contracts/events/topic';
import { openForTest } from '@tidewatch/harness/opened';
import kafkajs from 'kafkajs';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { type KafkaHarness, openKafkaHarness, PARTITIONS } from '../../testing/kafka.harness.ts';
import { createTopics } from './topics.ts';

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka] topics of one broker', () => {
  let harness: KafkaHarness;
  beforeEach(async () => {
    harness = await openForTest(openKafkaHarness());
  });

  const resource = () => ({
    type: kafkajs.ConfigResourceTypes.TOPIC,
    name: `${harness.prefix}${TOPICS.samples}`,
  });
  async function config(): Promise<Record<string, string>> {
    const { resources } = await harness.admin.describeConfigs({
      resources: [resource()],
      includeSynonyms: false,
    });
    const entries = resources[0]?.configEntries ?? [];
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  it('write each record to the disk before it is acknowledged', async () => {
    expect(await config()).toMatchObject({ 'flush.messages': '1', 'min.insync.replicas': '1' });
  });

  it('that were created without a flush for each record get it, and keep their other settings', async () => {
    const configEntries = [
      { name: 'flush.messages', value: '10000' },
      { name: 'retention.ms', value: '7200000' },
    ];
    await harness.admin.alterConfigs({ validateOnly: false, resources: [{ ...resource(), configEntries }] });
    await expect.poll(async () => (await config())['flush.messages']).toBe('10000');
    const settings = { partitions: PARTITIONS, retentionHours: 1, prefix: harness.prefix };
    expect(await createTopics(harness.admin, settings)).toEqual([]);
    await expect.poll(config).toMatchObject({ 'flush.messages': '1', 'retention.ms': '7200000' });
  });
});
