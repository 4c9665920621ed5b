import { startHaltingProxy } from '@tidewatch/harness/halting-proxy';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const LOST = [/ERR_|answer 503|status of 503|another origin/];
const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
const rowOf = (page: Page, host: string) => page.getByRole('row').filter({ hasText: `${host}:` });
const banner = (page: Page) => page.getByText(/^Not current since \d\d:\d\d:\d\d$/);

/** The time of the banner, as ms of today or yesterday before now. */
async function sinceOf(page: Page): Promise<number> {
  const text = (await banner(page).textContent()) ?? '';
  return page.evaluate(
    (clock) => {
      const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
      const at = new Date().setHours(hours, minutes, seconds, 0);
      return at > Date.now() ? at - 86_400_000 : at;
    },
    text.replace('Not current since ', ''),
  );
}

/** The ages that a list shows, read twice with more than a second between. */
async function agesTwice(page: Page): Promise<[string[], string[]]> {
  const read = () => page.locator('[role=row] time').allTextContents();
  const before = await read();
  await page.waitForTimeout(2_200);
  return [before, await read()];
}

describe.skipIf(lacksChromium)('[needs Chromium] pages without their server', () => {
  const site = useOwnSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    await breach(site, 'first');
  });

  it('say since when they are not current after a crash, stop their ages, and show once what fired until they are live again', async () => {
    const page = await site.open('/alerts', { key: site.adminKey, tolerates: LOST });
    await isLive(page);
    await rowOf(page, 'first').waitFor();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const { crash } = site.target;
    if (crash === undefined) throw new Error('the tests of the console start their own product');
    const crashedAt = Date.now();
    // A start may take less time than the ages are watched for.
    await crash(async () => {
      await banner(page).waitFor();
      const since = await sinceOf(page);
      expect(since).toBeGreaterThan(crashedAt - 2_000);
      expect(since).toBeLessThanOrEqual(Date.now());
      const [before, after] = await agesTwice(page);
      expect(before.length).toBeGreaterThan(0);
      expect(after).toEqual(before);
    });
    await breach(site, 'after-the-crash');
    await isLive(page);
    await rowOf(page, 'after-the-crash').waitFor();
    expect(await rowOf(page, 'after-the-crash').count()).toBe(1);
    expect(await banner(page).count()).toBe(0);
    expect(loads).toBe(0);
  });

  it('say since when they are not current while the server stands still, stop their ages, and go on with it', async (context) => {
    if (site.target.halt === undefined) return context.skip('the target is somebody else’s to stop');
    const page = await site.open('/alerts', { key: site.adminKey, tolerates: LOST });
    await isLive(page);
    await rowOf(page, 'first').waitFor();
    const haltedAt = Date.now();
    const resume = site.target.halt();
    try {
      await banner(page).waitFor({ timeout: 60_000 });
      // The server had written no longer ago than it is silent at most; the time is correct to 2 s.
      const since = await sinceOf(page);
      expect(since).toBeLessThanOrEqual(haltedAt + 2_000);
      expect(since).toBeGreaterThan(haltedAt - 17_000);
      const [before, after] = await agesTwice(page);
      expect(before.length).toBeGreaterThan(0);
      expect(after).toEqual(before);
    } finally {
      resume();
    }
    await isLive(page);
    await breach(site, 'after-the-halt');
    await rowOf(page, 'after-the-halt').waitFor();
    expect(await rowOf(page, 'after-the-halt').count()).toBe(1);
  });

  it('of a browser that is offline say so, and show what they missed once it is online', async () => {
    const proxy = await startHaltingProxy(site.url);
    const context = await site.visitor({ key: site.adminKey, tolerates: LOST });
    const page = await context.newPage();
    await page.goto(`${proxy.url.replace(/\/$/, '')}/alerts`);
    await isLive(page);
    await rowOf(page, 'first').waitFor();
    const cutAt = Date.now();
    await context.setOffline(true);
    proxy.cut();
    await banner(page).waitFor();
    const since = await sinceOf(page);
    expect(since).toBeGreaterThan(cutAt - 2_000);
    expect(since).toBeLessThanOrEqual(Date.now());
    await breach(site, 'while-offline');
    expect(await rowOf(page, 'while-offline').count()).toBe(0);
    proxy.resume();
    await context.setOffline(false);
    await isLive(page);
    await rowOf(page, 'while-offline').waitFor();
    expect(await rowOf(page, 'while-offline').count()).toBe(1);
    expect(await banner(page).count()).toBe(0);
    await context.close();
    await proxy.close();
  });

  it('of a browser that is offline alone read again what failed meanwhile', async () => {
    const context = await site.visitor({ key: site.adminKey, tolerates: LOST });
    const page = await context.newPage();
    await page.goto('/');
    await isLive(page);
    await context.setOffline(true);
    await banner(page).waitFor();
    await site.call('POST', '/channels', {
      kind: 'email',
      name: 'while offline',
      config: { to: ['a@example.com'] },
    });
    await breach(site, 'while-alone');
    await context.setOffline(false);
    await isLive(page);
    const shown = async () => {
      const { alerts } = await site.call('GET', '/summary');
      return page.getByRole('link', { name: `${alerts.critical.total} critical` }).count();
    };
    await expect.poll(shown, { timeout: 30_000 }).toBeGreaterThan(0);
  });
});
