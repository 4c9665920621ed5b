import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { expect, test } from 'vitest';
import { startCountingExporter } from '../agents/counting-exporter.ts';
import { findAgent, startAgent } from '../agents/real-agent.ts';
import { startScraper } from '../agents/start-scraper.ts';
import { SEEN, serviceOf, uniqueName } from '../client.ts';
import { openProduct } from '../scenario.ts';

/** More than the first host has, and fewer than node_exporter has. */
const LIMIT = 100;
const exporter = findAgent('prometheus-node-exporter');
const prometheus = findAgent('prometheus');

const { product, client } = await openProduct({ TIDEWATCH_SERIES_LIMIT: String(LIMIT) });

/** Starts a Prometheus that reads one exporter; returns its host and its log. */
async function scrape(exporterPort: number) {
  const folder = folderForTest();
  writeFileSync(join(folder, 'key'), product.key, { mode: 0o600 });
  const host = uniqueName('limited');
  const options = { folder, url: product.url, exporterPort, host };
  const { log } = await openForTest(startScraper('prometheus', prometheus as string, options));
  return { host, log };
}

test.skipIf(exporter === undefined || prometheus === undefined)(
  '[needs the agents of Debian] at the limit of series Prometheus gets a 400 with the reason, what fits is stored, and known series go on',
  async () => {
    const counting = await openForTest(startCountingExporter());
    const known = await scrape(counting.port);
    const detail = async (host: string) =>
      client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`);
    await expect.poll(async () => (await detail(known.host)).metrics.cpu_percent, SEEN).toBeDefined();
    const port = await freePort();
    await openForTest(
      startAgent(exporter as string, [`--web.listen-address=127.0.0.1:${port}`], folderForTest()),
    );
    const late = await scrape(port);
    await expect.poll(late.log, { timeout: 60_000 }).toMatch(/400 Bad Request.*limit of series/);
    const stored = async () => {
      const { metrics, parts } = await detail(late.host);
      const subjects: { metrics: object }[] = [{ metrics }, ...parts];
      return subjects.reduce((sum, subject) => sum + Object.keys(subject.metrics).length, 0);
    };
    await expect.poll(stored, SEEN).toBeGreaterThan(0);
    expect(await stored()).toBeLessThanOrEqual(LIMIT);

    const before = counting.served().length;
    await sleep(6_000);
    const newest = async () => (await detail(known.host)).metrics.node_load1;
    await expect.poll(newest, SEEN).toBeGreaterThan(before);
    expect(known.log()).not.toMatch(/level=error/);
  },
);
