/** Takes the pictures of the documents from a running product with a demo fleet, into docs/images: `npm run screenshots`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { launchChromium } from '@tidewatch/harness/chromium';
import { createProduct } from '@tidewatch/harness/product';
import { buildConsole, consoleFolder, isBuilt } from '@tidewatch/tools/console-build';
import type { Browser, Page } from 'playwright-core';
import { type Demo, fillDemo } from './demo-product.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url)).replace(/\/$/, '');
const IMAGES = join(ROOT, 'docs/images');
const THEMES = ['light', 'dark'] as const;
const SIZE = { width: 1_280, height: 800 };
/** The quality of WebP: text stays sharp. */
const QUALITY = 82;
const MAX_BYTES = 150_000;
/** A busy machine is late, ms. */
const WITHIN_MS = 120_000;
/** Charts are drawn after the last response, ms. */
const SETTLE_MS = 2_500;

/** Each picture with its page, and a text that is there once everything has been read. */
const PICTURES: Readonly<Record<string, { pathOf: (demo: Demo) => string; shows: RegExp }>> = {
  overview: { pathOf: () => '/', shows: /resolved by themselves/ },
  hosts: { pathOf: () => '/services?group_by=role', shows: /^\d+ hosts$/ },
  host: { pathOf: ({ hostId }) => `/services/${hostId}`, shows: /samples every 30 s/ },
  alert: { pathOf: ({ alertId }) => `/alerts/${alertId}`, shows: /samples every 30 s/ },
  investigation: {
    pathOf: ({ investigationId }) => `/investigations/${investigationId}`,
    shows: /Frozen evidence/,
  },
};

const folder = consoleFolder(ROOT);
if (!isBuilt(folder)) {
  const { ok, output } = await buildConsole(ROOT, folder, process.execPath).done;
  if (!ok) throw new Error(`the console could not be built:\n${output}`);
}
const receiver = await startHttpReceiver(status(204, {}, ''));
const product = await createProduct({
  TIDEWATCH_RATE_LIMIT_PER_MINUTE: '1000000',
  TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
});
try {
  await product.start({ TIDEWATCH_PUBLIC_URL: product.url });
  const demo = await fillDemo(product, receiver.url());
  const browser = await launchChromium();
  try {
    for (const theme of THEMES) await takeAll(browser, product.url, demo, theme);
  } finally {
    await browser.close();
  }
} finally {
  await product.remove();
  await receiver.close();
}

async function takeAll(browser: Browser, url: string, demo: Demo, theme: 'light' | 'dark') {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZE,
    colorScheme: theme,
    timezoneId: 'UTC',
  });
  const signIn = await context.request.post('/api/v1/session', {
    headers: { 'X-Tidewatch-Console': '1' },
    data: { key: demo.key },
  });
  if (signIn.status() !== 201) throw new Error(`sign-in answered ${signIn.status()}: ${await signIn.text()}`);
  for (const [name, { pathOf, shows }] of Object.entries(PICTURES)) {
    const page = await context.newPage();
    page.setDefaultTimeout(WITHIN_MS);
    await demo.report();
    await page.goto(pathOf(demo));
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText(shows).first().waitFor();
    await page.waitForTimeout(SETTLE_MS);
    const picture = await webp(page);
    if (picture.length > MAX_BYTES)
      throw new Error(
        `the picture ${name} has ${picture.length} bytes, and at most ${MAX_BYTES} are allowed`,
      );
    writeFileSync(join(IMAGES, `console-${name}-${theme}.webp`), picture);
    console.log(`docs/images/console-${name}-${theme}.webp: ${picture.length} bytes`);
    await page.close();
  }
  await context.close();
}

async function webp(page: Page): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}
