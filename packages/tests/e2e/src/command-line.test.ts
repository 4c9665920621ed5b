import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { folderForFile, openForFile } from '@tidewatch/harness/opened';
import { expect, it } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from './client.ts';
import { openTarget } from './target.ts';

const MAIN = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url));

const target = await openForFile(openTarget());
const own = await inOwnOrganization(target);
const client = createClient(own);
const directory = folderForFile();

async function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: directory,
    env: { ...process.env, TIDEWATCH_URL: own.url, TIDEWATCH_API_KEY: own.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

const URL_OF_HOOK = 'https://hooks.slack.com/services/T000/B000/XXXX';

it('tidewatch channels adds a channel that the starter rules notify, shows it without its secret, and removes it', async () => {
  const added = await run('channels', 'add', 'slack', URL_OF_HOOK, '--name', 'on call', '--for', 'starter');
  expect([added.code, added.stderr]).toEqual([0, '']);
  expect(added.stdout).toMatch(
    /^chn_\w+ on call \(slack, default of its kind\)\n\d+ starter rules notify it\n/,
  );
  const second = await run(
    'channels',
    'add',
    'slack',
    URL_OF_HOOK,
    '--name',
    'other',
    '--for',
    'starter',
    '--json',
  );
  const { id } = JSON.parse(second.stdout);
  const rules = await client.expect(200, 'GET', '/alerts/rules?limit=100');
  for (const rule of rules.rules) {
    expect(rule.channels, rule.name).toEqual(['default', id]);
    expect(rule.warnings).toEqual([]);
  }
  expect(second.stderr.match(/changed: rul_\w+ /g)).toHaveLength(rules.rules.length);
  const [first] = rules.rules;
  await client.expect(200, 'PATCH', `/alerts/rules/${first.id}`, { channels: ['default'] });
  const completed = await run('channels', 'use', 'other', '--for', 'starter');
  expect(completed.stdout).toBe(
    `${rules.rules.length} starter rules notify it\n  changed: ${first.id} ${first.name}\n`,
  );
  const listed = await run('channels', 'list');
  expect(listed.stdout).toMatch(/on call +yes +enabled/);
  expect(listed.stdout).not.toContain('B000');
  expect((await run('channels', 'show', 'on call')).stdout).toMatch(/default +yes/);
  expect(await run('channels', 'show', 'nobody')).toMatchObject({ code: 3, stdout: '' });
  expect(await run('channels', 'remove', id)).toMatchObject({ code: 0, stdout: `${id} removed\n` });
  expect((await run('audit', '--type', 'channel', '--object', id)).stdout).toMatch(
    /channel\.deleted[\s\S]*channel\.created/,
  );
});

it('tidewatch creates a rule from options, shows its alert with the notified channels, and deletes its host', async () => {
  const host = uniqueName('cli');
  const metric = host.replaceAll('-', '_');
  const made = await run(
    'rules',
    'create',
    '--name',
    host,
    '--when',
    `${metric} > 90`,
    '--for',
    '0s',
    '--channel',
    'pagerduty',
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`${metric} > 90 at once`) });
  expect(made.stderr).toContain('warning: No default channel of the kind pagerduty');
  expect((await run('rules', 'list')).stdout).toContain('pagerduty (not configured)');
  await client.expect(200, 'POST', '/ingest', { host, metrics: { [metric]: 95 } });
  const alerts = async () => (await client.expect(200, 'GET', `/alerts?host=${host}`)).alerts;
  await expect.poll(alerts, SEEN).toHaveLength(1);
  const [{ id }] = await alerts();
  const notified = async () => (await run('notifications', 'list', '--alert', id)).stdout;
  await expect.poll(notified, SEEN).toMatch(/not_configured +fired +pagerduty .*no_default/);
  const [, ntf = ''] = /^(ntf_\w+)/m.exec(await notified()) ?? [];
  expect((await run('notifications', 'show', ntf)).stdout).toMatch(/why +no_default/);
  const shown = await run('alerts', 'show', id);
  expect(shown.stdout).toMatch(new RegExp(`host +${host}\\n`));
  expect(shown.stdout).toMatch(/pagerduty +fired +not_configured +no_default/);
  await serviceOf(client, host);
  expect(await run('services', 'delete', host)).toMatchObject({ code: 0, stdout: `${host} deleted\n` });
  expect(await run('services', 'delete', host)).toMatchObject({ code: 3 });
});

it('keys created in succession have distinct ids, and an invalid condition is a usage error', async () => {
  for (const name of ['one', 'two']) await run('keys', 'create', name, '--scope', 'read');
  const listed = await run('keys', 'list');
  const shown = [...listed.stdout.matchAll(/tw_…(\w{8})_…/g)].map(([, end]) => end);
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThanOrEqual(2);
  expect(await run('rules', 'create', '--name', 'x', '--when', 'cpu 90')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('METRIC OPERATOR NUMBER'),
  });
});
