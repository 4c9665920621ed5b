import {
  type Installation,
  openInstallation,
  readinessOf,
  type ServiceProcess,
} from '@tidewatch/harness/installation';
import { folderForFile } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { findRedis, type RedisServer, startRedis } from '@tidewatch/stack/parts/redis-server';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type IngestAnswer, ingest } from './ingest.ts';

const WITHIN = { interval: 100 };
const PASSWORD = 'of-this-suite-alone';
const LIMIT = 20;
const PLENTY = { TIDEWATCH_RATE_LIMIT_PER_MINUTE: '100000' };
const lacked = inject('kafka').state === 'lacked' ? 'Kafka' : findRedis() === null ? 'Redis' : null;

describe.skipIf(lacked !== null)(`[needs ${lacked ?? 'Kafka'}] limits of several gateways`, () => {
  const home = folderForFile();
  let port: number;
  let redis: RedisServer;
  let installation: Installation;
  let gateways: ServiceProcess[];

  const start = () => startRedis({ command: findRedis()?.command ?? '', home, port, password: PASSWORD });
  const send = (gateway: ServiceProcess | undefined) => ingest(gateway as ServiceProcess, installation);
  const metric = async (gateway: ServiceProcess | undefined, name: string) => {
    const text = await (await fetch(`${gateway?.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  };
  const said = async (gateway: ServiceProcess | undefined) => {
    const { code, status, reasons } = await readinessOf(gateway as ServiceProcess);
    return { code, status, reasons, up: await metric(gateway, 'tidewatch_redis_up') };
  };
  const TOGETHER = { code: 200, status: 'ready', reasons: [], up: 1 };
  const ALONE = {
    code: 200,
    status: 'degraded',
    reasons: [expect.stringMatching(/^Redis is unavailable/)],
    up: 0,
  };

  /** Checks that every gateway accepts payloads, and prints the duration of the answers. */
  async function ingestGoesOn(what: string): Promise<void> {
    const answers: IngestAnswer[] = [];
    for (let round = 0; round < 20; round += 1)
      for (const gateway of gateways) answers.push(await send(gateway));
    const took = answers.map(({ tookMs }) => Math.round(tookMs)).toSorted((a, b) => a - b);
    console.log(`${what}: p50 ${took[Math.floor(took.length / 2)]} ms, longest ${took.at(-1)} ms`);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }

  beforeAll(async () => {
    port = await freePort();
    redis = await start();
    installation = await openInstallation({
      settings: {
        TIDEWATCH_REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}`,
        TIDEWATCH_RATE_LIMIT_PER_MINUTE: String(LIMIT),
      },
    });
    gateways = await Promise.all([installation.start('gateway'), installation.start('gateway')]);
  });
  afterAll(async () => {
    redis?.signal('SIGCONT');
    await installation?.close();
    await redis?.stop();
  });

  it('a key that has used up its limit at one gateway is refused by the other', async () => {
    for (const gateway of gateways) await expect.poll(() => said(gateway), WITHIN).toEqual(TOGETHER);
    const [one, other] = gateways;
    const alone = async () => {
      const counts = await Promise.all(
        gateways.map((each) => metric(each, 'tidewatch_rate_limit_local_total')),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    };
    // Tried again if a gateway counted by itself because Redis was slow for a moment.
    const tryIt = async () => {
      const before = await alone();
      const key = await installation.newKey();
      const sent: number[] = [];
      for (let index = 0; index < LIMIT; index += 1)
        sent.push((await ingest(one as ServiceProcess, { key })).status);
      const refused = await ingest(other as ServiceProcess, { key });
      const taken = sent.every((status) => status === 200);
      return (await alone()) === before
        ? { taken, status: refused.status, code: refused.code }
        : 'counted alone';
    };
    await expect
      .poll(tryIt, { timeout: 50_000, interval: 1_000 })
      .toEqual({ taken: true, status: 429, code: 'rate_limited' });
    for (const gateway of gateways) await gateway.stop();
    gateways = await Promise.all([
      installation.start('gateway', PLENTY),
      installation.start('gateway', PLENTY),
    ]);
    await ingestGoesOn('with Redis');
  });

  it('ingest continues while Redis does not respond, which is reported until it does', async () => {
    redis.signal('SIGSTOP');
    try {
      await ingestGoesOn('while Redis is stopped');
      for (const gateway of gateways) {
        expect(await said(gateway)).toEqual(ALONE);
        expect(await metric(gateway, 'tidewatch_rate_limit_local_total')).toBeGreaterThan(0);
      }
    } finally {
      redis.signal('SIGCONT');
    }
    for (const gateway of gateways) await expect.poll(() => said(gateway), WITHIN).toEqual(TOGETHER);
  });

  it('ingest continues after Redis was flushed, and is counted together', async () => {
    const client = new Redis(`redis://:${PASSWORD}@127.0.0.1:${port}`);
    await client.call('SCRIPT', 'FLUSH');
    await client.call('FLUSHALL');
    client.disconnect();
    await ingestGoesOn('after a flush');
    for (const gateway of gateways) await expect.poll(() => said(gateway), WITHIN).toEqual(TOGETHER);
  });

  it('ingest continues while Redis is down, also at the start of a gateway, and Redis is used once it is available', async () => {
    await redis.stop();
    await ingestGoesOn('while Redis is down');
    const late = await installation.start('gateway', PLENTY);
    gateways.push(late);
    await ingestGoesOn('while Redis is down, one gateway started without it');
    for (const gateway of gateways) expect(await said(gateway)).toEqual(ALONE);
    redis = await start();
    for (const gateway of gateways) await expect.poll(() => said(gateway), WITHIN).toEqual(TOGETHER);
    await ingestGoesOn('once Redis is back');
  });
});
