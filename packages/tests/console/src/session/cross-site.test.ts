import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { type Operation, readOperations } from '@tidewatch/e2e/isolation/operations';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule, type FiredAlert } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

/** Where the foreign page lies: the cookie is not sent from the one and sent from the other, which is the same site. */
const PLACES = [
  ['another site', 'localhost'],
  ['another port of the same host', '127.0.0.1'],
] as const;
const REFUSED = [401, 403, 405, 429];

/** A browser that is signed in, on a foreign page: what it asked of the API, and the answers that were no refusals. */
interface Foreign {
  context: BrowserContext;
  page: Page;
  /** The method of each request that has ended. */
  asked: string[];
  answers: string[];
}

describe.skipIf(lacksChromium)('[needs Chromium] a page of', () => {
  const site = useOwnSite();
  let other: HttpReceiver;
  let alert: FiredAlert;
  let operations: Operation[];
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    const html = '<!doctype html><title>Elsewhere</title>';
    other = await startHttpReceiver(status(200, { 'content-type': 'text/html' }, html));
    await createRule(site);
    alert = await breach(site, 'db-03');
    operations = (await readOperations(site.url)).filter(({ path }) => path !== '/api/v1/ingest');
  });
  afterAll(() => other?.close());

  async function elsewhere(host: string): Promise<Foreign> {
    const context = await site.visitor({ key: site.adminKey, tolerates: [/./] });
    const page = await context.newPage();
    await page.goto(`http://${host}:${other.port}/`);
    const foreign: Foreign = { context, page, asked: [], answers: [] };
    const isApi = (url: string) => url.startsWith(`${site.url}/api/`);
    const note = (request: Request) => {
      if (isApi(request.url())) foreign.asked.push(request.method());
    };
    context.on('requestfinished', note);
    context.on('requestfailed', note);
    context.on('response', (response) => {
      const method = response.request().method();
      if (!isApi(response.url()) || REFUSED.includes(response.status()) || method === 'OPTIONS') return;
      foreign.answers.push(`${method} ${response.url()}: ${response.status()}`);
    });
    return foreign;
  }

  const changes = async () => (await site.call('GET', '/audit?limit=1')).pagination.total;
  const addressOf = (path: string) => site.url + path.replaceAll(/\{\w+\}/g, alert.id);

  describe.each(PLACES)('%s', (_place, host) => {
    it('leads to an alert by a link, which is shown', async () => {
      const { page } = await elsewhere(host);
      await page.evaluate((href) => {
        document.body.append(Object.assign(document.createElement('a'), { href, textContent: 'The alert' }));
      }, `${site.url}/alerts/${alert.id}`);
      await page.getByRole('link', { name: 'The alert' }).click();
      await page.getByRole('heading', { level: 1, name: 'db-03: Queue is full' }).waitFor();
    });

    it('reads and changes nothing by scripts, on any endpoint', async () => {
      const { page, answers } = await elsewhere(host);
      const before = await changes();
      const sent = operations.map(({ method, path, example }) => ({
        method,
        url: addressOf(path),
        body: method === 'GET' || method === 'DELETE' ? null : JSON.stringify(example ?? {}),
      }));
      const read = await page.evaluate(async (requests) => {
        const found: string[] = [];
        for (const { method, url, body } of requests) {
          const ways: RequestInit[] = [
            { method, body, headers: { 'X-Tidewatch-Console': '1', 'Content-Type': 'application/json' } },
            ...(method === 'GET' || method === 'POST' ? [{ method, body, mode: 'no-cors' as const }] : []),
          ];
          for (const way of ways) {
            const text = await fetch(url, { ...way, credentials: 'include' }).then(
              (response) => response.text(),
              () => '',
            );
            if (text !== '') found.push(`${method} ${url}: ${text}`);
          }
        }
        return found;
      }, sent);
      expect(read).toEqual([]);
      expect(answers).toEqual([]);
      expect(await changes()).toBe(before);
    });

    it('reads and changes nothing by forms, images, scripts and links to exports', async () => {
      const { context, page, answers, asked } = await elsewhere(host);
      const before = await changes();
      const forms = operations
        .filter(({ method }) => method === 'POST')
        .map(({ path, example }) => ({ url: addressOf(path), body: JSON.stringify(example ?? {}) }));
      const reads = operations
        .filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
        .map(({ path }) => addressOf(path));
      await page.evaluate(
        (given) => {
          const ENCODINGS = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
          for (const [index, { url, body }] of given.forms.entries()) {
            const frame = document.body.appendChild(document.createElement('iframe'));
            frame.name = `frame-${index}`;
            const form = document.body.appendChild(document.createElement('form'));
            const enctype = ENCODINGS[index % ENCODINGS.length];
            Object.assign(form, { action: url, method: 'post', target: frame.name, enctype });
            // As plain text, the name and the value of a field are a body of JSON.
            const name = `${body.replace(/\}$/, '')}${body === '{}' ? '' : ','}"x":"`;
            form.append(Object.assign(document.createElement('input'), { name, value: '"}' }));
            form.submit();
          }
          for (const url of given.reads)
            for (const tag of ['img', 'script'] as const) {
              const part = document.createElement(tag);
              part.onload = () => document.body.setAttribute('data-loaded', url);
              part.src = url;
              document.body.append(part);
            }
        },
        { forms, reads },
      );
      await expect.poll(() => asked.filter((method) => method === 'POST').length).toBe(forms.length);
      await expect.poll(() => asked.filter((method) => method === 'GET').length).toBe(2 * reads.length);
      expect(await page.getAttribute('body', 'data-loaded')).toBeNull();
      for (const list of ['services', 'audit']) {
        await page.goto(`http://${host}:${other.port}/`);
        await page.evaluate((href) => {
          document.body.append(Object.assign(document.createElement('a'), { href, textContent: 'Export' }));
        }, `${site.url}/api/v1/${list}?format=csv`);
        await page.getByRole('link', { name: 'Export' }).click();
        await page.waitForURL(`${site.url}/**`);
      }
      expect(answers).toEqual([]);
      expect(await changes()).toBe(before);
      expect(await context.cookies(site.url)).toHaveLength(1);
    });
  });
});
