import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCALHOST, trustLocalhost } from '@tidewatch/destinations/testing/tls';
import { launchChromium } from '@tidewatch/harness/chromium';
import { createProduct, type Product } from '@tidewatch/harness/product';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacksChromium } from '../site/chromium.ts';

describe.skipIf(lacksChromium)('[needs Chromium] installations on one host', () => {
  let browser: Browser;
  let folder: string;
  let distrustLocalhost: () => void;
  let products: { first: Product; second: Product; encrypted: Product };
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'tidewatch-console-tls-'));
    const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    writeFileSync(cert, LOCALHOST.cert, { mode: 0o600 });
    writeFileSync(key, LOCALHOST.key, { mode: 0o600 });
    distrustLocalhost = trustLocalhost();
    const [first, second, encrypted] = await Promise.all([
      createProduct(),
      createProduct(),
      createProduct({ TIDEWATCH_TLS_CERT_FILE: cert, TIDEWATCH_TLS_KEY_FILE: key }),
    ]);
    products = { first, second, encrypted };
    [browser] = await Promise.all([
      launchChromium(['--ignore-certificate-errors']),
      ...Object.values(products).map((product) => product.start()),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(Object.values(products ?? {}).map((product) => product.remove()));
    distrustLocalhost?.();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function signIn(context: BrowserContext, { url, key }: Product): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${url}/system`);
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('API key').fill(key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await isLive(page);
    return page;
  }
  const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  const cookiesOf = async (context: BrowserContext) =>
    (await context.cookies()).map(({ name, httpOnly, secure, sameSite }) => ({
      name,
      httpOnly,
      secure,
      sameSite,
    }));

  it('keep a browser signed in to each, by a cookie that is named after the installation', async () => {
    const context = await browser.newContext();
    const pages = [await signIn(context, products.first), await signIn(context, products.second)];
    for (const page of pages) {
      await page.reload();
      await isLive(page);
    }
    const cookies = await cookiesOf(context);
    expect(new Set(cookies.map(({ name }) => name)).size).toBe(2);
    for (const cookie of cookies)
      expect(cookie).toEqual({
        name: expect.stringMatching(/^tidewatch-\d{8}$/),
        httpOnly: true,
        secure: false,
        sameSite: 'Strict',
      });
    await context.close();
  });

  it('over HTTPS have a cookie that is Secure and bound to the host, and the key is nowhere in the page', async () => {
    const context = await browser.newContext();
    const page = await signIn(context, products.encrypted);
    expect(await cookiesOf(context)).toEqual([
      {
        name: expect.stringMatching(/^__Host-tidewatch-\d{8}$/),
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      },
    ]);
    const kept = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        history.state,
        document.documentElement.outerHTML,
        [...document.querySelectorAll('input')].map(({ value }) => value),
      ]),
    );
    expect(kept).not.toContain(products.encrypted.key);
    await page.reload();
    await isLive(page);
    await context.close();
  });
});
