import { PAGES, pathOf, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import { describe, expect, it } from 'vitest';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { settled } from './visits.ts';

/** Lists with a range of times. */
const WITH_TIMES = SERVED_PAGES.filter(
  (name) => 'from' in PAGES[name].parameters && !PAGES[name].path.includes(':id'),
);

describe.skipIf(lacksChromium)('[needs Chromium] the frame of the console', () => {
  const site = useSite();

  it('every page is served with the policy of SECURITY.md, the same for everybody', async () => {
    const bodies = new Set<string>();
    for (const name of SERVED_PAGES) {
      const path = PAGES[name].path.replace(':id', 'abc_1');
      const response = await fetch(site.url + path, { headers: { Accept: 'text/html' } });
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
      expect(response.headers.get('cache-control')).toBe('no-cache');
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
  });

  it('what the page loads is kept for ever and compressed with Brotli', async () => {
    const page = await site.open('/system', { key: site.adminKey });
    await settled(page);
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/assets\/index-.*\.js$/.test(name)),
    );
    expect(scripts).toHaveLength(1);
    const answer = await page.request.get(scripts[0] ?? '', { headers: { 'Accept-Encoding': 'br' } });
    expect(answer.headers()).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each(WITH_TIMES)('an invalid time is named by a notice on %s, and leaves the address', async (name) => {
    const page = await site.open(`${pathOf(name, {} as never)}?from=yesterday`, { key: site.adminKey });
    await page.getByText('invalid and ignored').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByText('invalid and ignored').count()).toBe(0);
  });

  it('a page whose script is gone after an upgrade is loaded again once, and then shown', async () => {
    const page = await site.open('/system', {
      key: site.adminKey,
      tolerates: [/dynamically imported module/],
    });
    await settled(page);
    let isUpgraded = false;
    await page.route(/\/assets\/alerts-page-.*\.js$/, (route) =>
      isUpgraded ? route.continue() : route.fulfill({ status: 404 }),
    );
    page.on('load', () => {
      isUpgraded = true;
    });
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect([isUpgraded, new URL(page.url()).pathname]).toEqual([true, '/alerts']);
  });

  it('Tab reaches the skip link first, which moves the focus to the content', async () => {
    const page = await site.open('/system', { key: site.adminKey });
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('on a phone "More" opens a dialog with every page, which Escape closes, back to the button', async () => {
    const page = await site.open('/system', { key: site.adminKey, width: 360, height: 640 });
    await settled(page);
    await page.getByRole('button', { name: 'More' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pages' });
    await dialog.getByRole('link', { name: 'System' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('More');
  });

  it('the theme follows the system at once, and the zone changes with a click and is kept', async () => {
    const page = await site.open('/system', { key: site.adminKey, theme: 'light' });
    await settled(page);
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).not.toBe(light);
    await page.getByRole('button', { name: /^Zone/ }).click();
    await page.getByRole('button', { name: 'Zone: UTC' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Zone: UTC' }).waitFor();
  });
});
