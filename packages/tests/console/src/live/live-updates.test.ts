import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule, report } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const NO_SERVER = [
  /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_INTERNET_DISCONNECTED|ERR_SOCKET/,
  /answer 503/,
  /status of 503/,
];
const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
const rowOf = (page: Page, host: string) => page.getByRole('row').filter({ hasText: `${host}:` });

describe.skipIf(lacksChromium)('[needs Chromium] live updates of the console', () => {
  const site = useSite();
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

  it('say since when the page is not current after a crash, and miss no alert of the time until it is live again', async () => {
    const page = await site.open('/alerts', { key: site.adminKey, tolerates: NO_SERVER });
    await isLive(page);
    await rowOf(page, 'first').waitFor();
    const crashed = site.target.crash?.();
    expect(crashed).toBeDefined();
    await page.getByText(/^Not current since \d\d:\d\d:\d\d$/).waitFor();
    await crashed;
    await breach(site, 'after-the-crash');
    await isLive(page);
    await rowOf(page, 'after-the-crash').waitFor();
    expect(await rowOf(page, 'after-the-crash').count()).toBe(1);
    expect(await page.getByText('Not current since').count()).toBe(0);
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

  it('keep every alert of a burst once', async () => {
    const page = await site.open('/alerts', { key: site.adminKey, height: 2_000 });
    await isLive(page);
    const hosts = Array.from({ length: 30 }, (_, index) => `burst-${index}`);
    await Promise.all(hosts.map((host) => report(site, host, 99)));
    const total = async () => (await site.call('GET', '/alerts?limit=1')).pagination.total;
    await expect.poll(total).toBeGreaterThanOrEqual(30);
    const count = await total();
    await page.getByText(`${count} alerts`, { exact: true }).waitFor();
    for (const host of hosts) expect([host, await rowOf(page, host).count()]).toEqual([host, 1]);
  });
});

/** The streams of events that a process has open, by its metrics. */
async function openStreams(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^tidewatch_event_streams (\d+)$/m.exec(text)?.[1] ?? 0);
}
