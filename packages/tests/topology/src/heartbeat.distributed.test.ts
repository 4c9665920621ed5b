import { openStore } from '@tidewatch/database/connection';
import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { type HaltingProxy, startHaltingProxy } from '@tidewatch/harness/halting-proxy';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { folderForFile } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { type KafkaBroker, startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const WITHIN = { timeout: 60_000, interval: 100 };

describe.skipIf(kafkaObstacle() !== null)('[needs Kafka] the heartbeat', () => {
  const home = folderForFile();
  let broker: KafkaBroker;
  let database: HaltingProxy;
  let installation: Installation;
  let receiver: HttpReceiver;
  let notifier: ServiceProcess;
  const halted = new Map<string, { halt(): void; resume(): void }>();

  beforeAll(async () => {
    const ports = { port: await freePort(), controllerPort: await freePort() };
    broker = await startKafkaBroker({ distribution: fetchKafka(), home, ...ports });
    halted.set('Kafka', byStopping(broker));
    installation = await openInstallation({
      brokers: broker.brokers,
      partitions: 2,
      settings: { TIDEWATCH_REDIS_URL: 'redis://127.0.0.1:1', TIDEWATCH_PROBE_SECONDS: '1' },
    });
    database = await startHaltingProxy(installation.database.url);
    halted.set('PostgreSQL', database);
    const start = (role: ServiceProcess['role'], settings = {}) =>
      installation.start(role, { TIDEWATCH_DATABASE_URL: database.url, ...settings });
    receiver = await startHttpReceiver(status(200));
    const roles = ['gateway', 'writer', 'evaluator'] as const;
    const started = await Promise.all(roles.map((role) => start(role)));
    for (const service of started) halted.set(service.role, byStopping(service));
    notifier = await start('notifier', {
      TIDEWATCH_HEARTBEAT_URL: receiver.url('/ping'),
      TIDEWATCH_HEARTBEAT_SECONDS: '1',
    });
  });
  afterAll(async () => {
    await receiver?.close();
    await installation?.close();
    await database?.close();
    await broker?.stop();
  });

  function byStopping(process: { signal(name: NodeJS.Signals): void }) {
    return { halt: () => process.signal('SIGSTOP'), resume: () => process.signal('SIGCONT') };
  }

  /** The number of due calls that the notifier withheld. */
  async function withheld(): Promise<number> {
    const text = await (await fetch(`${notifier.adminUrl}/metrics`)).text();
    return Number(/^tidewatch_heartbeat_calls_total\{outcome="withheld"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  async function isCalledAgain(): Promise<void> {
    const before = receiver.got.length;
    await expect.poll(() => receiver.got.length, WITHIN).toBeGreaterThan(before);
  }

  test('the outside watcher is called while everything works', async () => {
    await isCalledAgain();
    await isCalledAgain();
  });

  test.each(['gateway', 'writer', 'evaluator', 'Kafka', 'PostgreSQL'])(
    'while the %s is stopped the calls stop, and they continue with it',
    async (part) => {
      await isCalledAgain();
      const before = await withheld();
      halted.get(part)?.halt();
      try {
        await expect.poll(withheld, WITHIN).toBeGreaterThan(before);
        const calls = receiver.got.length;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        expect(receiver.got.length).toBe(calls);
      } finally {
        halted.get(part)?.resume();
      }
      await isCalledAgain();
    },
    180_000,
  );

  test('without the notifier there are no calls, although probes are sent', async () => {
    await isCalledAgain();
    await notifier.stop();
    const calls = receiver.got.length;
    const before = await newestProbe();
    await expect.poll(newestProbe, WITHIN).not.toBe(before);
    expect(receiver.got.length).toBe(calls);
  });

  /** The id of the newest probe that an evaluator emitted. */
  async function newestProbe(): Promise<string | undefined> {
    const store = openStore({ url: installation.database.adminUrl, max: 1 });
    const [row] = await store.sql<{ id: string }[]>`
      select event ->> 'id' as id from outbox where event ->> 'type' = 'pipeline.probe' order by outbox.id desc limit 1`;
    await store.close();
    return row?.id;
  }
});
