import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule, type FiredAlert } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { settled } from './visits.ts';

const PHONE = ['a phone', { width: 360, height: 640 }] as const;
const DESK = ['a desk', { width: 1_280, height: 800 }] as const;
/** The sum of all shifts of a load; from 0.1 on browsers call a page unstable. */
const MAX_SHIFT = 0.01;
/** The n-th request of a page is answered so much later, ms. */
const STEP_MS = 60;
const LATEST = 10;
const QUIET_MS = 400;

const ORDERS = [
  ['in their order', (place: number) => place],
  ['in the reverse order', (place: number) => Math.max(LATEST - place, 0)],
] as const;
const PAGES = ['the overview', 'the page of an alert', 'the page of all hosts'] as const;
const LOADS = PAGES.flatMap((page) =>
  [PHONE, DESK].flatMap(([screen, size]) =>
    ORDERS.map(([order, steps]) => ({ page, screen, size, order, steps })),
  ),
);

/** Records each shift of the layout that no input caused, with the first element that moved. */
const RECORDER = `
  globalThis.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources[0]?.node;
      layoutShifts.push({ value, moved: (moved?.outerHTML ?? moved?.textContent ?? '').slice(0, 120) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

const shiftsOf = (page: Page) => page.evaluate<{ value: number; moved: string }[]>('layoutShifts');

describe.skipIf(lacksChromium)('[needs Chromium] a page of the console that loads', () => {
  const site = useSite();
  let alert: FiredAlert;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    alert = await breach(site, 'still-1');
    // A cause that is found while a page loads is a line more.
    while ((await site.call('GET', '/investigations?status=completed')).investigations.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await site.call('POST', '/markers', { title: 'Deployment 4.2' });
  });

  it.each(LOADS)(
    'moves nothing on $screen while $page is answered $order',
    async ({ page: name, size, steps }) => {
      const context = await site.visitor({ ...size, key: site.adminKey });
      let requests = 0;
      let answeredAt = Number.POSITIVE_INFINITY;
      await context.route(/\/api\/v1\/(?!events)/, async (route: Route) => {
        requests += 1;
        await new Promise((resolve) => setTimeout(resolve, STEP_MS * steps(requests)));
        await route.continue();
        answeredAt = Date.now();
      });
      const page = await context.newPage();
      await page.addInitScript(RECORDER);
      const paths = {
        'the overview': '/',
        'the page of an alert': `/alerts/${alert.id}`,
        'the page of all hosts': '/services',
      };
      await page.goto(paths[name]);
      await settled(page);
      // What is read because of these answers has arrived too.
      await expect.poll(() => Date.now() - answeredAt).toBeGreaterThan(QUIET_MS);
      const shifts = await shiftsOf(page);
      expect(
        shifts.reduce((sum, { value }) => sum + value, 0),
        JSON.stringify(shifts),
      ).toBeLessThan(MAX_SHIFT);
    },
  );
});
