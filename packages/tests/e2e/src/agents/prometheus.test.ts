import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { describe, expect, test } from 'vitest';
import { createClient, inOwnOrganization } from '../client.ts';
import { openTarget } from '../target.ts';
import { nativeHost } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { findAgent, startAgent } from './real-agent.ts';
import { startScraper } from './start-scraper.ts';

const exporter = findAgent('prometheus-node-exporter');
const SENDERS = [
  ['prometheus', findAgent('prometheus')],
  ['vmagent', findAgent('vmagent')],
] as const;

describe.each(SENDERS)('%s with node_exporter', (name, program) => {
  test.skipIf(program === undefined || exporter === undefined)(
    '[needs the agents of Debian] shows its host as a native agent does, by the configuration of its guide',
    async () => {
      const folder = folderForTest();
      const target = await openForTest(openTarget());
      const own = await inOwnOrganization(target);
      const client = createClient(own);
      writeFileSync(join(folder, 'key'), own.key, { mode: 0o600 });
      const port = await freePort();
      const node = startAgent(exporter as string, [`--web.listen-address=127.0.0.1:${port}`], folder);
      await openForTest(node);
      const sender = await startScraper(name, program as string, {
        folder,
        url: own.url,
        exporterPort: port,
        host: hostname(),
      });
      await openForTest(sender);
      const ownHost = await startOwnAgent(own);

      const { parts } = await nativeHost(client, hostname());
      await expectAlike(client, hostname(), ownHost);
      const report = parts.find(({ kind }) => kind === 'agent');
      expect(report?.metrics.stored_series).toBeGreaterThan(100);

      expect(sender.log()).not.toMatch(/level=error|"level":"error"|\terror\t/);
    },
  );
});
