import { launchChromium } from '@tidewatch/harness/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacksChromium } from './chromium.ts';
import { Faults } from './faults.ts';

const ORIGIN = 'http://tidewatch.test';
const PAGE = '<!doctype html><title>A page</title><script src="/page.js"></script>';

describe.skipIf(lacksChromium)('[needs Chromium] the faults of a page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Opens a page whose script is `script`; every other path answers with the status that it names. */
  async function faultsOf(script: string, tolerates: RegExp[] = []): Promise<string> {
    const context = await browser.newContext();
    const faults = new Faults(ORIGIN, tolerates);
    await faults.watch(context);
    await context.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const headers = { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src *" };
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', headers, body: PAGE });
      if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script });
      return route.fulfill({ status: Number(pathname.slice(1)) });
    });
    const page = await context.newPage();
    await page.goto(ORIGIN);
    await page.waitForFunction(() => document.title !== 'A page');
    await context.close();
    return faults.lines.join('\n');
  }

  const DONE = "setTimeout(() => { document.title = 'done'; }, 100);";

  it.each([
    [
      'an inline style',
      "document.documentElement.append(Object.assign(document.createElement('style'), { textContent: 'a{}' }));",
      'policy violation: style-src-elem',
    ],
    ['an error in the console', "console.error('broken');", 'console: broken'],
    ['an uncaught error', "setTimeout(() => { throw new Error('thrown'); });", 'uncaught: Error: thrown'],
    ['an unhandled rejection', "Promise.reject(new Error('rejected'));", 'uncaught: Error: rejected'],
    [
      'a request to another origin',
      "fetch('http://elsewhere.test/200').catch(() => {});",
      'another origin: http://elsewhere.test/200',
    ],
    ['an answer 5xx', "fetch('/503');", 'answer 503'],
  ])('include %s', async (_name, script, fault) => {
    expect(await faultsOf(script + DONE)).toContain(fault);
  });

  it('do not include answers 4xx, warnings, and what a test tolerates', async () => {
    expect(await faultsOf(`fetch('/404'); console.warn('old');${DONE}`)).toBe('');
    expect(await faultsOf(`console.error('expected');${DONE}`, [/expected/])).toBe('');
  });
});
