import { startTidewatch, type Tidewatch } from '@tidewatch/harness/tidewatch';
import { afterAll, beforeAll, expect, test } from 'vitest';

let tidewatch: Tidewatch;
beforeAll(async () => {
  tidewatch = await startTidewatch();
}, 180_000);
afterAll(() => tidewatch?.stop());

test('what is sent is listed', async () => {
  const headers = { 'X-API-Key': tidewatch.key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ host: 'web-01', metrics: { cpu_percent: 93.5 } });
  const sent = await fetch(`${tidewatch.url}/api/v1/ingest`, { method: 'POST', headers, body });
  expect(await sent.json()).toEqual({ status: 'ok', events_accepted: 1 });

  const list = async () => (await fetch(`${tidewatch.url}/api/v1/services`, { headers })).json();
  await expect
    .poll(list, { timeout: 10_000 })
    .toMatchObject({ services: [{ name: 'web-01', metrics: { cpu_percent: 93.5 } }] });
});
