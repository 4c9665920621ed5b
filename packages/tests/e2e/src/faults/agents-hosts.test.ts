import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { describe, expect, test } from 'vitest';
import { lacksScrapers, startCountingFleet } from '../agents/counting-fleet.ts';
import { findAgent, startAgent } from '../agents/real-agent.ts';
import { startScraper } from '../agents/start-scraper.ts';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { openProduct } from '../scenario.ts';

const exporter = findAgent('prometheus-node-exporter');
const prometheus = findAgent('prometheus');
/** After how long without a sample a host is offline, with what it takes until that is noticed, ms. */
const OFFLINE_WITHIN_MS = 240_000;

const { product } = await openProduct();

describe.skipIf(lacksScrapers || exporter === undefined)('[needs the agents of Debian] a host', () => {
  test('that was started again has no negative, huge or doubled rate', async () => {
    const fleet = await startCountingFleet(product);
    await sleep(8_000);
    for (const host of fleet.scraped) host.exporter.reboot();
    await sleep(10_000);
    await fleet.caughtUp(30_000);
    await fleet.check();
    for (const { name } of fleet.scraped) {
      const uptimes = await fleet.valuesOf(name, 'uptime_seconds');
      expect(uptimes.at(-1)).toBeLessThan(60);
      expect(uptimes.at(0)).toBeGreaterThan(1_000);
    }
  });

  test(
    'whose node_exporter was killed goes offline in time, although its Prometheus goes on to say up=0',
    async () => {
      const own = await inOwnOrganization(product);
      const client = createClient(own);
      const folder = folderForTest();
      writeFileSync(join(folder, 'key'), own.key, { mode: 0o600 });
      const port = await freePort();
      const node = startAgent(exporter as string, [`--web.listen-address=127.0.0.1:${port}`], folder);
      await openForTest(node);
      const host = uniqueName('node');
      const options = { folder, url: own.url, exporterPort: port, host };
      const sender = await openForTest(startScraper('prometheus', prometheus as string, options));
      const { id } = await serviceOf(client, host);
      const service = async () => client.expect(200, 'GET', `/services/${id}`);
      await expect.poll(async () => (await service()).metrics.cpu_percent, SEEN).toEqual(expect.any(Number));
      await node.kill();
      const killedAt = Date.now();
      const status = async () => (await service()).status;
      await expect.poll(status, { timeout: OFFLINE_WITHIN_MS, interval: 1_000 }).toBe('offline');
      expect(Date.parse((await service()).last_seen)).toBeLessThan(killedAt + 3_000);
      expect(Date.now() - killedAt).toBeGreaterThan(170_000);
      expect(sender.log()).not.toMatch(/level=error/);
    },
    OFFLINE_WITHIN_MS + 120_000,
  );
});
