import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@tidewatch/harness/chromium';
import { createProduct, createProductOfNpm, type Product } from '@tidewatch/harness/product';
import { consoleFolder } from '@tidewatch/tools/console-build';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lacksChromium } from '../site/chromium.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url)).replace(/\/$/, '');

describe.skipIf(lacksChromium)('[needs Chromium] the start of a product', () => {
  let browser: Browser;
  let product: Product;
  let parent: string;
  beforeAll(async () => {
    browser = await launchChromium();
    parent = mkdtempSync(join(tmpdir(), 'tidewatch-console-start-'));
  });
  afterEach(() => product?.remove());
  afterAll(async () => {
    await browser?.close();
    if (parent) rmSync(parent, { recursive: true, force: true });
  });

  it('shows "Preparing the console" until the build appears, and then the console, by itself', async () => {
    const folder = join(parent, 'late');
    product = await createProductOfNpm({ TIDEWATCH_CONSOLE_DIR: folder });
    await product.start();
    const page = await browser.newPage();
    await page.goto(`${product.url}/system`);
    await page.getByRole('heading', { name: 'Preparing the console …' }).waitFor();
    await cp(consoleFolder(root), `${folder}.unfinished`, { recursive: true });
    renameSync(`${folder}.unfinished`, folder);
    // The dialog "Sign in" hides the heading from assistive technology, so it is found by its element.
    await page.locator('h1', { hasText: 'System' }).waitFor();
    expect(page.url()).toBe(`${product.url}/system`);
    await page.close();
  });

  it('shows a build that failed with its reason and the command, and the API works', async () => {
    const folder = join(parent, 'failed');
    writeFileSync(`${folder}.failed`, 'Rolldown: cannot resolve "./gone.ts"');
    product = await createProduct({ TIDEWATCH_CONSOLE_DIR: folder });
    await product.start();
    const page = await browser.newPage();
    await page.goto(product.url);
    await page.getByText('cannot resolve "./gone.ts"').waitFor();
    expect(await page.getByText('npm run console:build').count()).toBe(1);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect(product.log()).toContain('npm run console:build');
    await page.close();
  });

  it('without a console redirects to the documentation', async () => {
    product = await createProduct({ TIDEWATCH_CONSOLE: 'off' });
    await product.start();
    for (const path of ['/', '/alerts/alr_1', '/investigations/inv_1']) {
      const answer = await fetch(product.url + path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    }
    expect((await fetch(`${product.url}/system`, { headers: { Accept: 'text/html' } })).status).toBe(404);
  });
});
