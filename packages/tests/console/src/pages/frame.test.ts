import { PAGES, pathOf, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostId } from '../charts/samples.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { settled } from './visits.ts';

/** Lists with a range of times. */
const WITH_TIMES = SERVED_PAGES.filter(
  (name) => 'from' in PAGES[name].parameters && !PAGES[name].path.includes(':id'),
);

/** A duration that nobody sees, ms. */
const MAX_MS = 1;

/** What moves on the page for longer than that, now or when its style changes. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate((limit) => {
    const ms = (text: string) =>
      Math.max(
        ...text.split(',').map((each) => Number.parseFloat(each) * (each.trim().endsWith('ms') ? 1 : 1_000)),
      );
    const styled = [...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return ms(transitionDuration) > limit || ms(animationDuration) > limit;
    });
    const running = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > limit);
    return [
      ...styled.map((element) => element.outerHTML.slice(0, 120)),
      ...running.map(({ id }) => `animation ${id}`),
    ];
  }, MAX_MS);
}

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

  it('the bar shows the time of the server beside the zone, in that zone', async () => {
    const page = await site.open('/system', { key: site.adminKey });
    await settled(page);
    const zone = page.getByRole('button', { name: 'Zone' });
    if ((await zone.textContent()) !== 'Zone: UTC') await zone.click();
    await page.getByRole('button', { name: 'Zone: UTC' }).waitFor();
    const clock = page.getByRole('banner').getByRole('time');
    const at = (await clock.getAttribute('datetime')) ?? '';
    expect(await clock.textContent()).toBe(at.slice(11, 16));
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(10 * 60_000);
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
    // Scripts of the page that is loaded again may be asked for before its event `load`.
    page.on('request', (request) => {
      isUpgraded ||= request.isNavigationRequest();
    });
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect([isUpgraded, new URL(page.url()).pathname]).toEqual([true, '/alerts']);
  });

  it('a form in which somebody has typed stays after an upgrade, and a notice offers to load the page again', async () => {
    const page = await site.open('/rules/new', { key: site.adminKey, tolerates: [/\/assets\//] });
    await settled(page);
    await page.getByLabel('Name').fill('Typed before the upgrade');
    // Another build: its HTML names other scripts, and those of this page are gone.
    await page.route(
      (url) => url.pathname === '/',
      (route) =>
        route.fulfill({ contentType: 'text/html', body: '<script src="/assets/index-next.js"></script>' }),
    );
    await page.route(/\/assets\/session-dialog-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: /console|bootstrap|admin/ }).click();
    await page.getByText('A newer version of Tidewatch is running.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before the upgrade');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Continue the draft' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before the upgrade');
  });

  it('a part of a page that is loaded while the server is away waits for it, and the page stays', async () => {
    const page = await site.open('/system', { key: site.adminKey, tolerates: [/ERR_/] });
    await settled(page);
    let isAway = true;
    const cut = (path: RegExp | ((url: URL) => boolean)) =>
      page.route(path, (route) => (isAway ? route.abort() : route.continue()));
    await cut((url) => url.pathname === '/');
    await cut(/\/assets\/session-dialog-.*\.js$/);
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/');
    await page.getByRole('button', { name: /console|bootstrap|admin/ }).click();
    await asked;
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    isAway = false;
    await page.getByRole('dialog', { name: 'Session' }).waitFor();
  });

  it('a host, a rule and a channel that were deleted name who did it, and for whom may not know are not found', async () => {
    const rule = { name: 'Gone rule', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    const channel = { kind: 'email', name: 'Gone channel', config: { to: ['a@example.com'] } };
    await site.call('POST', '/ingest', { host: 'gone-01', metrics: { load_1: 1 } });
    const paths = {
      'Gone rule': ['/alerts/rules', '/rules', (await site.call('POST', '/alerts/rules', rule)).id],
      'Gone channel': ['/channels', '/channels', (await site.call('POST', '/channels', channel)).id],
      'gone-01': ['/services', '/services', await hostId(site, 'gone-01')],
    };
    const reader = await site.open('/system', { key: await site.keyWith('read') });
    const page = await site.open('/system', { key: site.adminKey });
    for (const [name, [api, path, id]] of Object.entries(paths)) {
      await site.call('DELETE', `${api}/${id}`);
      await page.goto(`${path}/${id}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByText(/^This (host|rule|channel) was deleted by .+ on \d{4}-\d\d-\d\d /).waitFor();
      await reader.goto(`${path}/${id}`);
      await reader.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
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

  it.each(['/', '/alerts', '/services', '/rules', '/silences/new', '/system'])(
    'with reduced motion nothing moves on %s',
    async (path) => {
      const page = await site.open(path, { key: site.adminKey, reducedMotion: true });
      await settled(page);
      expect(await moving(page)).toEqual([]);
    },
  );

  it('a dialog opens at once with reduced motion', async () => {
    const page = await site.open('/system', {
      key: site.adminKey,
      reducedMotion: true,
      width: 360,
      height: 640,
    });
    await settled(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'Pages' }).waitFor();
    expect(await moving(page)).toEqual([]);
  });
});
