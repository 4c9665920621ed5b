import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from '@tidewatch/harness/process-tree';
import { expect, test } from 'vitest';
import { serviceOf, uniqueName } from './client.ts';
import { openProduct } from './scenario.ts';

const { product, client } = await openProduct();

/** The database processes that serve writer and evaluator. */
function ingestProcesses(): number[] {
  const commandOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return descendants(product.pid())
    .map(({ pid }) => pid)
    .filter((pid) => commandOf(pid).startsWith('postgres: tidewatch_ingest'));
}

const readiness = async () => {
  const response = await fetch(`${product.url}/readyz`);
  return { status: response.status, body: (await response.json()) as { reasons: string[] } };
};

test('database processes that stop responding make the service unready, and no sample is lost or duplicated when they continue', async () => {
  const host = uniqueName('e2e-stopped');
  const begun = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
  let sent = 0;
  let refused = 0;
  let sending = true;
  // An agent that retries each payload until the response is 200.
  const agent = (async () => {
    while (sending) {
      const payload = { host, timestamp: new Date(begun + sent * 1_000).toISOString(), metrics: { n: sent } };
      const { status } = await client.ingest(payload);
      if (status === 200) sent += 1;
      else {
        refused += 1;
        await sleep(200);
      }
    }
  })();
  await expect.poll(() => sent).toBeGreaterThan(20);
  const stopped = ingestProcesses();
  expect(stopped.length).toBeGreaterThan(0);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    await expect
      .poll(readiness, { timeout: 60_000, interval: 500 })
      .toMatchObject({ status: 503, body: { reasons: [expect.stringContaining('cannot be stored')] } });
    const answer = await client.ingest({ host: uniqueName('e2e-stopped'), metrics: { n: 1 } });
    expect(answer.status).toBe(503);
    // Polls until the connections are closed and running statements have failed.
    await expect.poll(() => refused, { timeout: 90_000, interval: 500 }).toBeGreaterThan(0);
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await expect.poll(readiness, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 200 });
  const before = sent;
  await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(before + 20);
  sending = false;
  await agent;
  const { id } = await serviceOf(client, host);
  const query = `metrics=n&from=${new Date(begun).toISOString()}&to=${new Date(begun + 7_200_000).toISOString()}&step=60`;
  const { series } = await client.expect(200, 'GET', `/services/${id}/metrics?${query}`);
  const points = series[0].points as { avg: number; count: number }[];
  expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(sent);
  const total = points.reduce((sum, { avg, count }) => sum + avg * count, 0);
  expect(Math.round(total)).toBe((sent * (sent - 1)) / 2);
}, 200_000);
