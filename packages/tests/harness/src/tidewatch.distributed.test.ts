import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { brokersOfWorker } from './parts/brokers-of-worker.ts';
import { startTidewatch, type Tidewatch } from './tidewatch.ts';

const [kafka, redis] = [inject('kafka'), inject('redis')];
const lacked = kafka.state === 'lacked' ? 'Kafka' : 'Redis';

describe.skipIf(kafka.state === 'lacked' || redis.state === 'lacked')(`[needs ${lacked}]`, () => {
  let tidewatch: Tidewatch | undefined;
  afterEach(async () => {
    await tidewatch?.stop();
    vi.unstubAllEnvs();
  });

  test('a distributed Tidewatch starts on the parts of a run and takes a payload', async () => {
    vi.stubEnv('TIDEWATCH_TEST_KAFKA_BROKERS', brokersOfWorker());
    tidewatch = await startTidewatch({ topology: 'distributed' });
    const { url, key } = tidewatch;
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ topology: 'distributed' });
    const body = JSON.stringify({ host: 'web-01', metrics: { cpu_percent: 93.5 } });
    const sent = await fetch(`${url}/api/v1/ingest`, { method: 'POST', headers, body });
    expect(sent.status).toBe(200);
    const list = async () => (await fetch(`${url}/api/v1/services`, { headers })).json();
    await expect.poll(list, { timeout: 30_000 }).toMatchObject({ services: [{ name: 'web-01' }] });
  }, 300_000);
});
