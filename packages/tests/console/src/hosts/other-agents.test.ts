import { SDK_SENDER, startAgent } from '@tidewatch/e2e/agents/real-agent';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { overflowOf, violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const GUIDES = ['Prometheus', 'vmagent', 'OpenTelemetry Collector', 'SDKs of OpenTelemetry'];
const NARROW = 360;

/** Creates a key; returns its secret. */
async function createKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByText('It is shown once').waitFor();
  const command = await page.getByRole('tabpanel').locator('code').first().textContent();
  return /tw_[0-9a-z_]+/.exec(command ?? '')?.[0] ?? '';
}

/** What a guide shows as code, in its order. */
async function configurationOf(page: Page, guide: string): Promise<string[]> {
  await page.getByRole('tab', { name: guide, exact: true }).click();
  return page.getByRole('tabpanel').locator('code').allTextContents();
}

describe.skipIf(lacksChromium)('[needs Chromium] adding a host that another agent reports', () => {
  const site = useSite();

  it.each(GUIDES)(
    'offers %s with the configuration of its guide, the address and a new key',
    async (guide) => {
      const page = await site.open('/services/add', { key: site.adminKey, width: NARROW });
      const secret = await createKey(page);
      const configuration = (await configurationOf(page, guide)).join('\n');
      expect(secret).not.toBe('');
      expect(configuration).toContain(secret);
      expect(configuration).toContain(site.url);
      expect(configuration).not.toMatch(/monitor\.example|tw_…/);
      expect(await overflowOf(page)).toBe(0);
    },
  );

  it('has no axe violation with a guide and a key on it at 360 and 1,280 px', async () => {
    const page = await site.open('/services/add', { key: site.adminKey });
    await createKey(page);
    await configurationOf(page, 'Prometheus');
    expect(await violationsInEveryLook(page)).toEqual([]);
  });

  it('shows the host of an SDK that runs with the printed variables, and what is stored and left out of it', async () => {
    const page = await site.open('/services/add', { key: site.adminKey });
    await createKey(page);
    // The first block is whole; the others say what differs by gRPC.
    const blocks = await configurationOf(page, 'SDKs of OpenTelemetry');
    const variables = blocks.find((block) => block.startsWith('OTEL_')) ?? '';
    const env = Object.fromEntries(variables.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    env['OTEL_METRIC_EXPORT_INTERVAL'] = '2000';
    await openForTest(startAgent(process.execPath, [SDK_SENDER], folderForTest(), env));
    await page.getByRole('link', { name: 'Open web-01' }).waitFor({ timeout: 60_000 });
    await page.getByText(/reported .*cpu_percent/).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Open web-01' }).click();
    const sent = page.getByRole('list', { name: 'Sent by other agents' });
    await sent.getByText(/^otlp: \d+ series stored, \d+ left out/).waitFor({ timeout: 30_000 });
    expect(await sent.textContent()).not.toContain('refused');
    expect(await violationsInEveryLook(page)).toEqual([]);
  });
});
