import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { createTopics } from '@tidewatch/bus/kafka/topics/topics';
import { folderForFile } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { type KafkaBroker, startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const LOGIN = { username: 'tidewatch', password: 'made-for-this-test-alone' };
const possible = inject('kafka').state !== 'lacked' && kafkaObstacle() === null;

describe.skipIf(!possible)('[needs Kafka] a broker that asks for a login', () => {
  const home = folderForFile();
  let broker: KafkaBroker;
  let controller: string;

  beforeAll(async () => {
    const controllerPort = await freePort();
    controller = `127.0.0.1:${controllerPort}`;
    broker = await startKafkaBroker({ distribution: fetchKafka(), home, controllerPort, login: LOGIN });
  }, 180_000);
  afterAll(() => broker?.stop());

  async function describeCluster(address: string, password: string | null): Promise<string> {
    const sasl = password === null ? {} : { sasl: { mechanism: 'plain' as const, ...LOGIN, password } };
    const kafka = openKafka({ brokers: [address], clientId: 'test', log: () => undefined, ...sasl });
    const admin = kafka.admin({ retry: { retries: 0 } });
    try {
      await admin.connect();
      return (await admin.describeCluster()).clusterId;
    } finally {
      await admin.disconnect();
    }
  }

  it('serves clients with that login, and creates topics for them', { timeout: 60_000 }, async () => {
    expect(await describeCluster(broker.brokers, LOGIN.password)).toMatch(/\S/);
    const sasl = { mechanism: 'plain' as const, ...LOGIN };
    const admin = openKafka({
      brokers: [broker.brokers],
      clientId: 'test',
      log: () => undefined,
      sasl,
    }).admin();
    await admin.connect();
    expect(await createTopics(admin, { partitions: 1, retentionHours: 1 })).not.toEqual([]);
    await admin.disconnect();
  });

  it.each([
    ['clients without a login', () => broker.brokers, null],
    ['clients with another password', () => broker.brokers, 'another'],
    ['those who reach its controller without a login', () => controller, null],
  ])('refuses %s', { timeout: 60_000 }, async (_name, address, password) => {
    await expect(describeCluster(address(), password)).rejects.toThrow();
  });

  it('keeps the password in a file of its user alone, and out of its arguments and log', () => {
    const commandLine = readFileSync(`/proc/${broker.pid}/cmdline`, 'utf8');
    const log = readFileSync(join(home, 'kafka.log'), 'utf8');
    expect(commandLine + log).not.toContain(LOGIN.password);
    expect(statSync(join(home, 'server.properties')).mode & 0o777).toBe(0o600);
  });
});
