import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const figure = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Figures' }).getByRole('listitem').filter({ hasText: name });

describe.skipIf(lacksChromium)('[needs Chromium] the page System', () => {
  const site = useOwnSite({ TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: 'on' });

  const opened = async (path = '/system', key = site.adminKey): Promise<Page> => {
    const page = await site.open(path, { key });
    await settled(page);
    return page;
  };

  it('shows the state, the figures and the process that the API answers', async () => {
    const page = await opened();
    await page.getByText('ready', { exact: true }).first().waitFor();
    await page.getByText('1 process with all services').waitFor();
    await page.getByText(/Storage backend plain/).waitFor();
    const state = await site.call('GET', '/system');
    await figure(page, 'Dead letters').getByText('0', { exact: true }).waitFor();
    await figure(page, 'Failing jobs').getByText('Every round has worked').waitFor();
    await figure(page, 'Oldest pending notification').getByText('none', { exact: true }).waitFor();
    // Little of a file system in memory is in use.
    await figure(page, 'Storage')
      .getByText(/[MGT]iB of .*[MGT]iB/)
      .waitFor();
    const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1);
    await row.getByText(state.processes[0].id).waitFor();
    await row.getByText('ready', { exact: true }).waitFor();
  });

  it('says how to start an agent where none reports on Tidewatch, and draws curves once one does', async () => {
    const page = await opened();
    await page.getByText(/No agent reports on Tidewatch/).waitFor();
    await page.getByText(`--watch ${site.url}`).waitFor();
    const { secret } = await site.call('POST', '/keys', { name: 'agent', scopes: ['ingest'] });
    const response = await fetch(`${site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ host: 'monitor', metrics: { tidewatch_lag_seconds: 0.2 } }),
    });
    expect(response.status).toBe(200);
    await page.getByText(/An agent reports on Tidewatch/).waitFor();
    await page.getByRole('img', { name: 'lag, last 12 h' }).waitFor();
  });

  it('shows the rules on Tidewatch with what fires', async () => {
    const rule = { name: 'Behind <b>', metric: 'tidewatch_lag_seconds', condition: 'greater_than' };
    await site.call('POST', '/alerts/rules', { ...rule, threshold: 10, duration_minutes: 0 });
    const page = await opened();
    const line = page
      .getByRole('list', { name: 'Rules on Tidewatch' })
      .getByRole('listitem')
      .filter({ hasText: 'Behind <b>' });
    await line.getByText('nothing fires').waitFor();
    await site.call('POST', '/ingest', { host: 'monitor', metrics: { tidewatch_lag_seconds: 40 } });
    await line.getByRole('link', { name: /monitor/ }).waitFor();
  });

  it('names a notification that waits, and leads to it', async () => {
    await site.call('POST', '/channels', {
      kind: 'webhook',
      name: 'refused',
      is_default: true,
      config: { url: 'http://127.0.0.1:9/' },
    });
    const rule = { name: 'Waits', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    await site.call('POST', '/alerts/rules', { ...rule, duration_minutes: 0, channels: ['webhook'] });
    await site.call('POST', '/ingest', { host: 'web-01', metrics: { cpu_percent: 99 } });
    const page = await opened();
    const waiting = figure(page, 'Oldest pending notification');
    await waiting.getByText('1 waits, of all organizations.').waitFor({ timeout: 60_000 });
    await waiting.getByRole('link', { name: 'Those of this organization' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page
      .getByRole('main')
      .getByText(/web-01: cpu_percent/)
      .first()
      .waitFor();
  });

  it('looks up a receipt whose id stays in the URL, and says where none has the id', async () => {
    const response = await fetch(`${site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: {
        'X-API-Key': site.adminKey,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
      },
      body: JSON.stringify({ host: 'web-02', metrics: { cpu_percent: 1 } }),
    });
    const { receipt } = (await response.json()) as { receipt: { id: string } };
    const page = await opened();
    await page.getByRole('textbox', { name: 'Receipt' }).fill(receipt.id);
    await page.getByRole('button', { name: 'Look up' }).click();
    const record = page.getByRole('list', { name: 'Records' }).getByRole('listitem');
    await record.getByText(/^stored .*, evaluated /).waitFor();
    expect(new URL(page.url()).searchParams.get('receipt')).toBe(receipt.id);
    await page.reload();
    await record.getByText(/^stored .*, evaluated /).waitFor();
    await page.getByRole('textbox', { name: 'Receipt' }).fill(`rcp_${'0'.repeat(32)}`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('No receipt has this id').waitFor();
  });

  it('shows a reader the lag and the state, and says what needs which scope', async () => {
    const key = await site.keyWith('read');
    for (const theme of ['light', 'dark'] as const) {
      const page = await site.open('/system', { key, theme, width: 360, height: 640 });
      await settled(page);
      await page.getByText('ready', { exact: true }).first().waitFor();
      await figure(page, 'Evaluation lag').waitFor();
      await page.getByText(/The rest of the installation needs the scope operator/).waitFor();
      await page.getByText(/Looking up a receipt needs the scope admin/).waitFor();
      expect(await page.getByRole('table', { name: 'Processes' }).count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
  });
});
