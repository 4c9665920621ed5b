import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violationsInEveryLook, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';
import { pathsOf, settled } from './visits.ts';

const screenshots = process.env['TIDEWATCH_TEST_SCREENSHOTS'];

describe.skipIf(lacksChromium)('[needs Chromium] every page of the console', () => {
  const site = useOwnSite();

  describe.each(pathsOf())('$name', ({ name, path }) => {
    it('asks for a sign-in at the same address, and then has one heading, no axe violation and no sideways scroll in both themes at 360 and 1,280 px', async () => {
      const page = await site.open(path, { width: 360, height: 640 });
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      // Each page has a key of its own, because a key may sign in 30 times in a minute.
      await dialog.getByLabel('API key').fill(await site.keyWith('read', 'write', 'admin', 'operator'));
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      if (name === 'signIn') {
        await page.waitForURL(`${site.url}/`);
        await page.goto(path);
      } else expect(new URL(page.url()).pathname).toBe(path);
      await settled(page);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.title()).toMatch(/Tidewatch$/);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      const found = await violationsInEveryLook(page, ['light', 'dark'], async (look) => {
        if (!screenshots) return;
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({ path: join(screenshots, `${name}-${look}.png`) });
      });
      expect(found).toEqual([]);
    });
  });

  it('a path without a page is answered with 404 and says so', async () => {
    const page = await site.open('/');
    const response = await page.goto('/no/such/page');
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('a missing script is a problem document, never the HTML', async () => {
    const page = await site.open('/');
    const answer = await page.request.get('/assets/index-gone.js', { headers: { Accept: 'text/html' } });
    expect([answer.status(), answer.headers()['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
  });
});
