import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { breach, createRule } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';
import { settled } from './visits.ts';

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
const iconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');

describe.skipIf(lacksChromium)('[needs Chromium] a display on a wall', () => {
  const site = useOwnSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
  });

  it('signs in by its link to the overview without navigation, only reads, and follows alerts', async () => {
    const { url } = await site.call('POST', '/sign-in-links', {
      kind: 'display',
      name: 'Wall in the office',
      scopes: ['read'],
    });
    const { hash } = new URL(url, site.url);
    const page = await site.open(`/sign-in${hash}`, { width: 1_920, height: 1_080, theme: 'dark' });
    await page.waitForURL('**/?display=1');
    await isLive(page);
    await page.getByText('Nothing is firing.').waitFor();
    await expect.poll(() => iconOf(page)).toBe('/favicon.svg');
    const { host } = await breach(site, 'db-03');
    await page.getByText(`${host}:`).first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    for (const name of ['Acknowledge', 'Silence', /^Search/, 'Leave the display'])
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('24px');
    await expect.poll(() => iconOf(page)).toMatch(/^data:image\/svg\+xml,/);
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const session = await page.evaluate(async () => {
      const response = await fetch('/api/v1/session', { headers: { 'X-Tidewatch-Console': '1' } });
      return (await response.json()).session;
    });
    expect(session).toMatchObject({ kind: 'display', scopes: ['read'], name: 'Wall in the office' });
    const days = (Date.parse(session.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(364);
  });

  it('is entered and left by a link on the overview of a person', async () => {
    const page = await site.open('/', { key: site.adminKey });
    await page.getByRole('link', { name: 'Show on a wall' }).click();
    await page.waitForURL('**/?display=1');
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Leave the display' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  it('fits a phone: no word is broken, and nothing scrolls sideways', async () => {
    const page = await site.open('/?display=1', { key: site.adminKey, width: 360, height: 640 });
    await settled(page);
    const { height = 0, width = 0 } = (await page.getByRole('heading', { level: 1 }).boundingBox()) ?? {};
    expect(width).toBeGreaterThan(3 * height);
    expect(await overflowOf(page)).toBe(0);
  });
});
