import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import { nativeHost } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { adapt, blockOf, findAgent, startAgent } from './real-agent.ts';

const collectd = findAgent('collectd', 'sbin');

/** What Debian's package has in its configuration, for where it is unpacked without being installed. */
function surroundings(root: string, folder: string): string {
  return [
    'Interval 2',
    `BaseDir "${folder}"`,
    `PIDFile "${folder}/pid"`,
    `PluginDir "${root}/usr/lib/collectd"`,
    `TypesDB "${root}/usr/share/collectd/types.db"`,
    '',
  ].join('\n');
}

test.skipIf(collectd === undefined)(
  '[needs the agents of Debian] collectd shows its host as a native agent does, by the configuration of its guide',
  async () => {
    const target = await openForTest(openTarget());
    const own = await inOwnOrganization(target);
    const client = createClient(own);
    const host = uniqueName('collectd');
    const folder = folderForTest();
    const root = (collectd as string).replace('/usr/sbin/collectd', '');
    const guide = adapt(blockOf('collectd.md', ''), { 'https://monitor.example': own.url, 'tw_…': own.key });
    const config = join(folder, 'collectd.conf');
    writeFileSync(config, `Hostname "${host}"\n${surroundings(root, folder)}${guide}`);
    const libraries = readdirSync(join(root, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
    const agent = await openForTest(
      startAgent(collectd as string, ['-f', '-C', config], folder, {
        LD_LIBRARY_PATH: libraries.map((name) => join(root, 'usr/lib', name)).join(':'),
      }),
    );
    const ownHost = await startOwnAgent(own);

    await nativeHost(client, host);
    // It does not say how much memory is available, so that its share is an estimate.
    await expectAlike(client, host, ownHost, ['cpu_percent', 'disk_percent', 'load_1', 'uptime_seconds']);
    expect(agent.log()).toContain('Initialization complete');
    expect(agent.log()).not.toMatch(/write_http plugin:|error|warn|failed/i);
  },
);
