import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { IMAGE } from '@tidewatch/harness/parts/tidewatch-image';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Runs a command as somebody pastes it into a terminal; returns how to end it with all of its processes. */
function runCommand(command: string): () => void {
  const child = spawn('sh', ['-c', command], { cwd: CHECKOUT, detached: true, stdio: 'ignore' });
  return () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
    } catch {
      // The command has ended by itself.
    }
  };
}

async function createKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByText('It is shown once').waitFor();
  return commandOn(page);
}

const commandOn = async (page: Page) =>
  (await page.getByRole('tabpanel').locator('code').first().textContent()) ?? '';

async function firstSampleOn(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .getByText(/reported/)
    .waitFor({ timeout: 60_000 });
  await page.getByText(/cpu_percent|memory_percent/).waitFor();
}

describe.skipIf(lacksChromium)('[needs Chromium] adding a host', () => {
  const site = useSite();

  it('shows the host without a reload once the printed command runs, by a key that only sends and is shown once', async () => {
    const page = await site.open('/services', { key: site.adminKey });
    await page.getByRole('link', { name: 'Add a host.' }).click();
    const ways = page.getByRole('tablist', { name: 'Ways to send samples' });
    expect(await ways.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBeLessThanOrEqual(0);
    await createKey(page);
    await page.getByRole('tab', { name: 'Checkout' }).click();
    const command = await commandOn(page);
    await page.getByText('Waiting for the first sample…').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isKept: true }));
    const end = runCommand(command);
    try {
      await firstSampleOn(page);
    } finally {
      end();
    }
    expect(await page.evaluate(() => 'isKept' in globalThis)).toBe(true);
    const { services } = await site.call('GET', '/services');
    expect(services).toHaveLength(1);
    const { keys } = await site.call('GET', '/keys');
    const key = keys.find(({ name }: { name: string }) => name.startsWith('agents '));
    expect(key.scopes).toEqual(['ingest']);
    expect(key).not.toHaveProperty('secret');
    const [secret = ''] = /tw_[0-9a-z_]+/.exec(command) ?? [];
    await page.reload();
    await settled(page);
    expect(secret).not.toBe('');
    expect(await page.content()).not.toContain(secret);
    await page.goto(`/services/${services[0].id}`);
    await page.getByRole('heading', { level: 1, name: services[0].name }).waitFor();
  });

  it('prints one line that installs the agent, whose script this address serves and whose key is no argument', async () => {
    const page = await site.open('/services/add', { key: site.adminKey });
    const command = await createKey(page);
    const [, address = '', secret = '', url = ''] =
      /^curl -fsSL (\S+) \| TIDEWATCH_API_KEY=(tw_\S+) sh -s -- --url (\S+)$/.exec(command) ?? [];
    expect(address).toBe(`${url}/install.sh`);
    const script = await (await fetch(address)).text();
    const checked = spawnSync('sh', ['-s', '--', '--url', 'ftp://x'], {
      input: script,
      env: { PATH: process.env.PATH, TIDEWATCH_API_KEY: secret },
      encoding: 'utf8',
    });
    expect(checked).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('must be the http or https'),
    });
  });

  it('shows a host that has reported before, by the command for any program', async () => {
    await site.call('POST', '/ingest', { host: 'web-01', metrics: { cpu_percent: 1 } });
    const page = await site.open('/services/add', { key: site.adminKey });
    await createKey(page);
    await page.getByRole('tab', { name: 'curl' }).click();
    const end = runCommand(await commandOn(page));
    try {
      await page.getByRole('link', { name: 'Open web-01' }).waitFor({ timeout: 60_000 });
      await page.getByText(/cpu_percent 12.5 %, memory_percent 40.1 %/).waitFor();
    } finally {
      end();
    }
  });

  it('finds a host that reports all the time by its use of the key, also where the server was gone meanwhile', async () => {
    await site.call('POST', '/ingest', { host: 'web-02', metrics: { cpu_percent: 1 } });
    const page = await site.open('/services/add', { key: site.adminKey, tolerates: [/\b503\b/] });
    const command = await createKey(page);
    let refused = 0;
    await page.route('**/api/v1/keys/*', (route) => {
      refused += 1;
      return refused > 4 ? route.continue() : route.fulfill({ status: 503 });
    });
    const [secret = ''] = /tw_[0-9a-z_]+/.exec(command) ?? [];
    await fetch(`${site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ host: 'web-02', metrics: { cpu_percent: 2 } }),
    });
    await page.getByRole('link', { name: 'Open web-02' }).waitFor({ timeout: 60_000 });
    expect(refused).toBeGreaterThan(4);
  });

  it.skipIf(IMAGE === undefined)(
    '[needs Tidewatch image] shows the host once the printed command for Docker runs, with an image that is built already',
    async () => {
      const page = await site.open('/services/add', { key: site.adminKey });
      await createKey(page);
      await page.getByRole('tab', { name: 'Docker' }).click();
      const [build, start = ''] = (await commandOn(page)).split(' && ');
      expect(build).toBe('docker build --tag tidewatch:local --file deploy/Dockerfile .');
      const container = `tidewatch-agent-${process.pid}`;
      const end = runCommand(
        start.replace('tidewatch-agent', container).replace('tidewatch:local', String(IMAGE)),
      );
      try {
        await firstSampleOn(page);
      } finally {
        end();
        spawnSync('docker', ['rm', '--force', container]);
      }
    },
  );

  it('offers to revoke a key that nobody has used', async () => {
    const page = await site.open('/services/add', { key: site.adminKey });
    await page.getByLabel('Name of the key').fill('agents of nobody');
    await page.getByLabel('Allowed hosts').fill('web-*, db-1');
    await createKey(page);
    await page.getByText('for web-*, db-1').waitFor();
    await page.getByRole('button', { name: 'Revoke the key agents of nobody' }).click();
    await page.getByText('The key “agents of nobody” was revoked.').waitFor();
    const { keys } = await site.call('GET', '/keys');
    const key = keys.find(({ name }: { name: string }) => name === 'agents of nobody');
    expect(key).toMatchObject({ hosts: ['web-*', 'db-1'], revoked_at: expect.any(String) });
  });

  it('says which scope it needs where the session may create no key', async () => {
    const page = await site.open('/services/add', { key: await site.keyWith('read') });
    await page.getByText('needs the scope admin').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).isDisabled()).toBe(true);
  });

  it('has no axe violation with a key on it at 360 and 1,280 px', async () => {
    const page = await site.open('/services/add', { key: site.adminKey, theme: 'dark' });
    await createKey(page);
    expect(await violationsInEveryLook(page, ['dark'])).toEqual([]);
  });
});
