import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Installation,
  openInstallation,
  readinessOf,
  type ServiceProcess,
} from '@tidewatch/harness/installation';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { type KafkaBroker, startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingest } from './ingest.ts';

const WITHIN = { timeout: 90_000, interval: 250 };

describe.skipIf(kafkaObstacle() !== null)(
  '[needs Kafka] while the broker is away',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'tidewatch-broker-'));
    let ports: { port: number; controllerPort: number };
    let broker: KafkaBroker;
    let installation: Installation;
    let gateway: ServiceProcess;
    let writer: ServiceProcess;

    const start = () => startKafkaBroker({ distribution: fetchKafka(), home, ...ports });
    const ready = (service: ServiceProcess) => async () => (await readinessOf(service)).code;
    const send = (host: string) => ingest(gateway, installation, { host, metrics: { a: 1 } });

    beforeAll(async () => {
      ports = { port: await freePort(), controllerPort: await freePort() };
      broker = await start();
      installation = await openInstallation({ brokers: broker.brokers });
      [gateway, writer] = await Promise.all([installation.start('gateway'), installation.start('writer')]);
    });
    afterAll(async () => {
      broker?.signal('SIGCONT');
      await installation?.close();
      await broker?.stop();
      rmSync(home, { recursive: true, force: true });
    });

    const REFUSED = {
      status: 503,
      code: 'ingest_unavailable',
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    };

    it('a broker that does not respond makes ingest answer with Retry-After, and ingest works again afterwards', async () => {
      expect(await send('before')).toMatchObject({ status: 200 });
      broker.signal('SIGSTOP');
      try {
        expect(await send('stopped')).toMatchObject(REFUSED);
        expect(await readinessOf(gateway)).toMatchObject({
          code: 503,
          reasons: [expect.stringMatching(/Kafka/)],
        });
      } finally {
        broker.signal('SIGCONT');
      }
      await expect.poll(async () => (await send('after')).status, WITHIN).toBe(200);
      await expect.poll(ready(gateway), WITHIN).toBe(200);
    });

    it('every service is unready, and continues by itself when a killed broker restarts', async () => {
      broker.signal('SIGKILL');
      await broker.ended;
      expect(await send('killed')).toMatchObject(REFUSED);
      await expect.poll(ready(writer), WITHIN).toBe(503);
      expect(await readinessOf(gateway)).toMatchObject({ code: 503 });
      broker = await start();
      await expect.poll(async () => (await send('again')).status, WITHIN).toBe(200);
      await expect.poll(ready(gateway), WITHIN).toBe(200);
      await expect.poll(ready(writer), WITHIN).toBe(200);
    });

    it('a gateway starts without a broker, refuses payloads, and accepts them once there is a broker', async () => {
      broker.signal('SIGKILL');
      await broker.ended;
      const late = await installation.start('gateway', {}, { until: '/healthz' });
      const refused = () => ingest(late, installation).catch(() => null);
      await expect.poll(refused, WITHIN).toMatchObject(REFUSED);
      expect(await readinessOf(late)).toMatchObject({ code: 503, reasons: ['Kafka cannot be reached'] });
      broker = await start();
      await expect.poll(ready(late), WITHIN).toBe(200);
      expect(await ingest(late, installation)).toMatchObject({ status: 200 });
    });
  },
  180_000,
);
