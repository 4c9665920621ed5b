import { MAX_SUMMARY_AGE_MS } from '@tidewatch/contracts/summary/summary-age';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule, METRIC, report } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const BATCHES = 20;
const BATCH = 15;
/** 50 alerts a second. */
const BETWEEN_MS = 300;
/** The API may answer with counts of a second before. */
const SUMMED_UP = { timeout: 10 * MAX_SUMMARY_AGE_MS };
const hostOf = (index: number) => `burst-${String(index).padStart(3, '0')}`;

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
const rowOf = (page: Page, host: string) => page.getByRole('row').filter({ hasText: `${host}:` });

const grid = (page: Page) => page.getByRole('grid', { name: 'Alerts' });

/** The hosts of all rows of the list, which is scrolled from its top to its end. */
async function listedHosts(page: Page): Promise<string[]> {
  const hosts = new Map<string, string>();
  const scroller = grid(page).locator('..');
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  for (;;) {
    const rows = await grid(page)
      .locator('[role=row][aria-rowindex]')
      .evaluateAll((found) =>
        found.map((row) => [row.getAttribute('aria-rowindex') ?? '', row.textContent ?? ''] as const),
      );
    for (const [index, text] of rows) {
      const host = /burst-\d{3}/.exec(text)?.[0];
      if (host !== undefined) hosts.set(index, host);
    }
    const isAtEnd = await scroller.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollBy(0, 400);
      return element.scrollTop === before;
    });
    const count = Number(await grid(page).getAttribute('aria-rowcount'));
    if (isAtEnd && rows.some(([index]) => Number(index) === count)) return [...hosts.values()];
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

describe.skipIf(lacksChromium)('[needs Chromium] live updates of the console', () => {
  const site = useOwnSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    await breach(site, 'first');
  });

  it('show an alert on the overview and in the list, in nine tabs by one stream', async () => {
    const context = await site.visitor({ key: site.adminKey });
    const list = await context.newPage();
    await list.goto('/alerts');
    await isLive(list);
    const tabs: Page[] = [];
    for (let tab = 0; tab < 8; tab += 1) {
      const page = await context.newPage();
      await page.goto(tab === 0 ? '/' : '/alerts');
      await isLive(page);
      tabs.push(page);
    }
    await report(site, 'web-01', 99);
    await rowOf(list, 'web-01').waitFor();
    await tabs[0]?.getByText('web-01:').first().waitFor();
    for (const page of tabs.slice(1)) await rowOf(page, 'web-01').waitFor();
    const streams = await Promise.all(site.target.metricsOf().map(openStreams));
    expect(streams.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('show an alert on the page of its host, and count it in the title of a hidden page', async () => {
    const { service_id } = await breach(site, 'counted');
    const context = await site.visitor({ key: site.adminKey });
    const [host, hidden] = [await context.newPage(), await context.newPage()];
    // Chromium without a window shows every page.
    await hidden.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    });
    await Promise.all([host.goto(`/services/${service_id}?tab=alerts`), hidden.goto('/alerts')]);
    await Promise.all([isLive(host), isLive(hidden)]);
    const criticals = async () => (await site.call('GET', '/summary')).alerts.critical.total;
    const before = await criticals();
    await expect.poll(() => hidden.title()).toBe(`(${before}) Alerts · Tidewatch`);
    await site.call('POST', '/alerts/rules', {
      name: 'Another of the host',
      metric: 'other_length',
      condition: 'greater_than',
      threshold: 1,
      duration_minutes: 0,
      severity: 'critical',
      scope: { hosts: ['counted'] },
    });
    await site.call('POST', '/ingest', {
      host: 'counted',
      interval_seconds: 10,
      metrics: { other_length: 2 },
    });
    await host.getByRole('main').getByText('Another of the host').first().waitFor();
    await expect.poll(criticals, SUMMED_UP).toBeGreaterThan(before);
    await expect.poll(() => hidden.title(), SUMMED_UP).toBe(`(${await criticals()}) Alerts · Tidewatch`);
  });

  it('let new alerts wait while a row has the focus, and show them on a press', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    await isLive(page);
    const first = rowOf(page, 'first');
    await first.focus();
    const before = await first.boundingBox();
    for (const host of ['new-1', 'new-2', 'new-3']) await breach(site, host);
    await page.getByRole('button', { name: '3 new' }).waitFor();
    expect(await rowOf(page, 'new-1').count()).toBe(0);
    expect((await first.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, 0);
    await page.getByRole('button', { name: '3 new' }).click();
    for (const host of ['new-1', 'new-2', 'new-3']) await rowOf(page, host).waitFor();
  });

  it('show the same name in two browsers that acknowledge at the same time', async () => {
    const { id } = await breach(site, 'shared');
    const keys = [await site.keyWith('read', 'write'), await site.keyWith('write', 'read')];
    const pages = await Promise.all(keys.map((key) => site.open(`/alerts/${id}`, { key })));
    const buttons = pages.map((page) => page.getByRole('button', { name: 'Acknowledge', exact: true }));
    for (const button of buttons) await button.waitFor();
    await Promise.all(buttons.map((button) => button.click({ noWaitAfter: true })));
    const { acknowledged_by } = await expect
      .poll(() => site.call('GET', `/alerts/${id}`))
      .toMatchObject({ status: 'active', acknowledged_by: { name: expect.any(String) } })
      .then(() => site.call('GET', `/alerts/${id}`));
    for (const page of pages)
      await page.getByText(`Acknowledged by ${acknowledged_by.name}`).first().waitFor();
  });

  it('takes what is typed into its filter while they fire, and then has each of them once', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    await isLive(page);
    await page.getByRole('row').filter({ hasText: 'first:' }).waitFor();
    const sending = (async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const payloads = Array.from({ length: BATCH }, (_, index) => ({
          host: hostOf(batch * BATCH + index),
          interval_seconds: 10,
          metrics: { [METRIC]: 99 },
        }));
        await Promise.all([
          site.call('POST', '/ingest', payloads),
          new Promise((resolve) => setTimeout(resolve, BETWEEN_MS)),
        ]);
      }
    })();
    const filter = page.getByRole('searchbox', { name: 'Host' });
    await page
      .getByRole('row')
      .filter({ hasText: /burst-\d{3}:/ })
      .first()
      .waitFor();
    for (const host of [hostOf(0), hostOf(7)]) {
      await filter.fill('');
      await filter.pressSequentially(host);
      expect(await filter.inputValue()).toBe(host);
      await page.getByText('1 alert', { exact: true }).waitFor();
    }
    await sending;
    await filter.fill('');
    const total = async () => (await site.call('GET', '/alerts?status=active&limit=1')).pagination.total;
    await expect.poll(total).toBeGreaterThan(BATCHES * BATCH);
    const shown = async () => page.getByText(`${await total()} alerts`, { exact: true }).count();
    await expect.poll(shown).toBe(1);
    const hosts = await listedHosts(page);
    expect(hosts).toHaveLength(BATCHES * BATCH);
    expect(new Set(hosts).size).toBe(BATCHES * BATCH);
  });

  it('keeps the row under the pointer in place while it is scrolled, and new alerts behind a button', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    await isLive(page);
    await page.getByRole('row').filter({ hasText: 'burst-299:' }).waitFor();
    const box = await grid(page).locator('..').boundingBox();
    if (box === null) throw new Error('the list is not shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 300);
    await expect
      .poll(() =>
        grid(page)
          .locator('..')
          .evaluate((element) => element.scrollTop),
      )
      .toBe(300);
    const underPointer = () =>
      page.evaluate(
        ([left, top]) => {
          const row = document.elementFromPoint(left, top)?.closest('[role=row]');
          return { host: /burst-\d{3}/.exec(row?.textContent ?? '')?.[0], y: row?.getBoundingClientRect().y };
        },
        [x, y] as const,
      );
    const before = await underPointer();
    expect(before.host).toMatch(/^burst/);
    for (const host of ['late-1', 'late-2', 'late-3']) await breach(site, host);
    const button = page.getByRole('button', { name: '3 new' });
    await button.waitFor();
    expect(await underPointer()).toEqual(before);
    await button.click();
    await grid(page)
      .locator('..')
      .evaluate((element) => element.scrollTo(0, 0));
    for (const host of ['late-1', 'late-2', 'late-3'])
      await page
        .getByRole('row')
        .filter({ hasText: `${host}:` })
        .waitFor();
  });
});

/** The streams of events that a process has open, by its metrics. */
async function openStreams(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^tidewatch_event_streams (\d+)$/m.exec(text)?.[1] ?? 0);
}
