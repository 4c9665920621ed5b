import { SERVICE_NAMES } from '@tidewatch/contracts/system/service-names';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

/** Longer than a process is silent before it is missing. */
const SILENT = { timeout: 90_000, interval: 1_000 };

interface Process {
  id: string;
  roles: string[];
  status: string;
  version: string;
}

describe.skipIf(lacksChromium)('[needs Chromium] the page System of separate processes', () => {
  const site = useOwnSite();

  const opened = async (): Promise<Page> => {
    const page = await site.open('/system', { key: site.adminKey });
    await settled(page);
    return page;
  };
  const processes = async (): Promise<Process[]> => (await site.call('GET', '/system')).processes;
  const rowOf = (page: Page, id: string) =>
    page
      .getByRole('table', { name: 'Processes' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: id, exact: true }) });

  it('names every process with its role, state and version, and the lag of those that store or evaluate', async () => {
    await expect
      .poll(async () => new Set((await processes()).flatMap(({ roles }) => roles)), SILENT)
      .toEqual(new Set(SERVICE_NAMES));
    await site.call('POST', '/ingest', { host: 'web-01', metrics: { cpu_percent: 1 } });
    const page = await opened();
    for (const { id, roles, version } of await processes()) {
      const row = rowOf(page, id);
      await row.getByText('ready', { exact: true }).waitFor();
      await row.getByRole('cell', { name: version, exact: true }).waitFor();
      await row
        .getByRole('rowheader', { name: (roles[0] ?? '').replace('query-api', 'query API') })
        .waitFor();
    }
    const lags = page
      .getByRole('table', { name: 'Processes' })
      .getByRole('row', { name: /writer|evaluator/ });
    await expect
      .poll(() => lags.getByRole('cell', { name: /^[\d.]+ (ms|s)$/ }).count(), SILENT)
      .toBeGreaterThan(0);
    expect(await violationsInEveryLook(page, ['light', 'dark'])).toEqual([]);
  });

  it('says which process has stopped reporting, and that it is there again', async () => {
    const page = await opened();
    const notifier = (await processes()).find(({ roles }) => roles.includes('notifier'));
    if (notifier === undefined) throw new Error('no notifier reports');
    const pid = Number(notifier.id.split('/').at(-1));
    process.kill(pid, 'SIGSTOP');
    try {
      await expect.poll(() => rowOf(page, notifier.id).textContent(), SILENT).toContain('missing');
      await page.getByText(`notifier ${notifier.id} has stopped reporting`).waitFor();
      await page.getByText('degraded', { exact: true }).first().waitFor();
      await page.getByText('Start what is missing.').waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => rowOf(page, notifier.id).textContent(), SILENT).toContain('ready');
  });
});
