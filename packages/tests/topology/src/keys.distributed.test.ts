import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@tidewatch/database/connection';
import { type HaltingProxy, startHaltingProxy } from '@tidewatch/harness/halting-proxy';
import {
  type Installation,
  openInstallation,
  readinessOf,
  type ServiceProcess,
} from '@tidewatch/harness/installation';
import { folderForFile } from '@tidewatch/harness/opened';
import { findRedis, type RedisServer, startRedis } from '@tidewatch/stack/parts/redis-server';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const lacked = inject('kafka').state === 'lacked' ? 'Kafka' : findRedis() === null ? 'Redis' : null;
/** The time within which a revoked key must stop working, ms. */
const REVOKED_WITHIN_MS = 10_000;

describe.skipIf(lacked !== null)(`[needs ${lacked ?? 'Kafka'}] keys of several processes`, () => {
  const home = folderForFile();
  let redis: RedisServer;
  let installation: Installation;
  let admin: Store;
  let database: HaltingProxy;
  let services: ServiceProcess[];

  beforeAll(async () => {
    redis = await startRedis({ command: findRedis()?.command ?? '', home });
    installation = await openInstallation();
    admin = openStore({ url: installation.database.adminUrl, max: 1 });
    database = await startHaltingProxy(installation.database.url);
    const settings = { TIDEWATCH_DATABASE_URL: database.url };
    services = await Promise.all([
      installation.start('gateway', { ...settings, TIDEWATCH_REDIS_URL: redis.url }),
      installation.start('gateway', settings),
      installation.start('query-api', settings),
    ]);
  });
  afterAll(async () => {
    database?.resume();
    await admin?.close();
    await installation?.close();
    await database?.close();
    await redis?.stop();
  });

  async function ask(
    service: ServiceProcess,
    key: string,
  ): Promise<{ status: number; code: string | undefined }> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response =
      service.role === 'gateway'
        ? await fetch(`${service.url}/api/v1/ingest`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ host: 'web-01', metrics: {} }),
          })
        : await fetch(`${service.url}/api/v1/services`, { headers });
    const body = (await response.json()) as { code?: string };
    return { status: response.status, code: body.code };
  }

  const asked = (key: string) => Promise.all(services.map((service) => ask(service, key)));
  const everyone = (answer: object) => services.map(() => expect.objectContaining(answer));

  it('a revoked key is refused by each process within ten seconds, in use or not, with and without Redis', async () => {
    const [used, unused] = [await installation.newKey(), await installation.newKey()];
    expect(await asked(used)).toEqual(everyone({ status: 200 }));
    expect(await asked(unused)).toEqual(everyone({ status: 200 }));
    await admin.sql`update api_keys set revoked_at = ${Date.now()}
      where secret_sha256 in (sha256(${used}::bytea), sha256(${unused}::bytea))`;
    await expect
      .poll(() => asked(used), { timeout: REVOKED_WITHIN_MS, interval: 200 })
      .toEqual(everyone({ status: 401, code: 'key_revoked' }));
    await sleep(REVOKED_WITHIN_MS);
    expect(await asked(unused)).toEqual(everyone({ status: 401, code: 'key_revoked' }));
  });

  it.each(['halt', 'cut'] as const)(
    'while the database is unavailable (%s), cached keys are accepted',
    async (how) => {
      const known = await installation.newKey();
      const unknown = await installation.newKey();
      expect((await asked(known)).map(({ status }) => status)).toEqual([200, 200, 200]);
      database[how]();
      try {
        const gateways = services.filter(({ role }) => role === 'gateway');
        // Polls for longer than the time within which a revoked key must stop working.
        for (const until = Date.now() + 12_000; Date.now() < until; await sleep(500))
          for (const gateway of gateways) expect(await ask(gateway, known)).toMatchObject({ status: 200 });
        for (const service of services) {
          expect(await ask(service, unknown)).toEqual({ status: 503, code: 'database_unavailable' });
          expect((await ask(service, known)).status).not.toBe(401);
        }
        for (const gateway of gateways) {
          expect(await readinessOf(gateway)).toMatchObject({
            code: 200,
            status: 'degraded',
            reasons: [expect.stringMatching(/^keys cannot be looked up/)],
          });
        }
      } finally {
        database.resume();
      }
      await expect
        .poll(() => asked(unknown), { timeout: 60_000, interval: 500 })
        .toEqual(everyone({ status: 200 }));
      for (const service of services)
        await expect.poll(async () => (await readinessOf(service)).status, { timeout: 60_000 }).toBe('ready');
    },
    180_000,
  );
});
