import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import { nativeHost } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { adapt, blockOf, findBuiltAgent, startAgent } from './real-agent.ts';

const telegraf = findBuiltAgent('telegraf', 'Telegraf');
const GUIDE = 'telegraf.md';
const [INPUTS = '', VERSION_2 = ''] = blockOf(GUIDE, 'toml').split(/(?=\[\[outputs)/);
const OUTPUTS = [
  ['influxdb_v2', VERSION_2],
  ['influxdb', blockOf(GUIDE, 'toml', 1)],
  ['http with the serializer of remote write', blockOf(GUIDE, 'toml', 2)],
] as const;

test.skipIf(telegraf === undefined).each(OUTPUTS)(
  '[needs Telegraf] Telegraf by its output %s shows its host as a native agent does, by the configuration of its guide',
  async (_, output) => {
    const target = await openForTest(openTarget());
    const own = await inOwnOrganization(target);
    const client = createClient(own);
    const host = uniqueName('telegraf');
    const folder = folderForTest();
    const inputs = adapt(INPUTS, { '"10s"': '"2s"', '[agent]': `[agent]\n  hostname = "${host}"` });
    const config = join(folder, 'telegraf.conf');
    writeFileSync(config, inputs + adapt(output, { 'https://monitor.example': own.url }));
    const ownHost = await startOwnAgent(own);
    const agent = await openForTest(
      startAgent(telegraf as string, ['--config', config], folder, { TIDEWATCH_API_KEY: own.key }),
    );

    await nativeHost(client, host);
    await expectAlike(client, host, ownHost);
    expect(agent.log()).toContain('Loaded outputs');
    expect(agent.log()).not.toMatch(/ E! |series were dropped/);
  },
);
