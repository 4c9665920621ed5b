import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';
import { pathsOf, settled } from './visits.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [
  [360, 640],
  [1_280, 800],
] as const;
const screenshots = process.env['TIDEWATCH_TEST_SCREENSHOTS'];

describe.skipIf(lacksChromium)('[needs Chromium] every page of the console', () => {
  const site = useOwnSite();

  describe.each(pathsOf())('$name', ({ name, path }) => {
    it('asks somebody who is not signed in to sign in, at the same address and without a fault', async () => {
      const page = await site.open(path);
      await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    });

    it.each(THEMES)(
      'has one heading, no axe violation and no sideways scroll at 360 and 1,280 px, %s',
      async (theme) => {
        const [[width, height]] = WIDTHS;
        const page = await site.open(path, { key: site.adminKey, theme, width, height });
        await settled(page);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await page.title()).toMatch(/Tidewatch$/);
        expect(await page.locator('html').getAttribute('lang')).toBe('en');
        for (const [width, height] of WIDTHS) {
          await page.setViewportSize({ width, height });
          if (screenshots) {
            mkdirSync(screenshots, { recursive: true });
            await page.screenshot({ path: join(screenshots, `${name}-${theme}-${width}.png`) });
          }
          expect(await violationsOf(page), `at ${width} px`).toEqual([]);
          expect(await overflowOf(page), `at ${width} px`).toBeLessThanOrEqual(0);
        }
      },
    );
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
