import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { breach, createRule, type FiredAlert } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });

async function signInWith(page: Page, key: string): Promise<void> {
  await dialogOf(page).getByLabel('API key').fill(key);
  await dialogOf(page).getByRole('button', { name: 'Sign in' }).click();
}

const MAX_TABS = 60;

/** Presses Tab until the element with this name has the focus, which has to be visible then. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    // One question for each press; the way to a button is dozens of them.
    const focused = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      return element === document.body
        ? undefined
        : { label, outline: getComputedStyle(element).outlineStyle };
    });
    if (focused === undefined) continue;
    if (typeof name === 'string' ? focused.label === name : name.test(focused.label)) {
      expect(focused.outline).not.toBe('none');
      return;
    }
  }
  throw new Error(`Tab does not reach ${name}`);
}

describe.skipIf(lacksChromium)('[needs Chromium] the sign-in of the console', () => {
  const site = useSite();
  let alert: FiredAlert;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    alert = await breach(site, 'db-03');
  });

  it('lies over the URL that was asked for, which shows that alert afterwards, and keeps the key nowhere', async () => {
    const path = `/alerts/${alert.id}?tab=related&from=-2h&to=-1h`;
    const page = await site.open(path);
    await dialogOf(page).waitFor();
    expect(page.url()).toBe(site.url + path);
    await signInWith(page, site.adminKey);
    await page.getByRole('heading', { level: 1, name: 'db-03: Queue is full' }).waitFor();
    expect(page.url()).toBe(site.url + path);
    await expect.poll(() => dialogOf(page).count()).toBe(0);

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
    expect(kept).not.toContain(site.adminKey);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: expect.stringMatching(/^tidewatch-\d{8}$/), httpOnly: true, sameSite: 'Strict' },
    ]);
  });

  it('refuses a wrong key and a key that can only send samples, with the reason in the dialog', async () => {
    const page = await site.open('/alerts');
    await signInWith(page, 'tw_wrong');
    await dialogOf(page).getByRole('alert').waitFor();
    await signInWith(page, await site.keyWith('ingest'));
    await dialogOf(page).getByText('can only send samples').waitFor();
    await signInWith(page, await site.keyWith('read'));
    await page.getByRole('grid', { name: 'Alerts' }).waitFor();
  });

  it('by a link works once, and removes the secret from the address before anything is requested', async () => {
    const { url } = await site.call('POST', '/sign-in-links', {
      kind: 'person',
      name: 'Anna',
      scopes: ['read'],
    });
    const { hash } = new URL(url, site.url);
    const secret = new URLSearchParams(hash.slice(1)).get('link') ?? '';
    expect(secret).not.toBe('');
    const context = await site.visitor();
    const page = await context.newPage();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url(), request.headers()['referer'] ?? ''));
    await page.goto(`/sign-in?to=%2Falerts${hash}`);
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect(seen.filter((text) => text.split('#')[0]?.includes(secret))).toEqual([]);
    expect(page.url()).toBe(`${site.url}/alerts`);

    const second = await site.open(`/sign-in${hash}`);
    await dialogOf(second).getByText('The link did not sign you in').waitFor();
    expect(second.url()).not.toContain(secret);
  });

  it('stays signed in when the answer to a request of before the sign-in comes late', async () => {
    const { url } = await site.call('POST', '/sign-in-links', {
      kind: 'person',
      name: 'Ben',
      scopes: ['read'],
    });
    const page = await (await site.visitor()).newPage();
    const wasRefused = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    await page.route('**/api/v1/session', async (route) => {
      if (route.request().method() !== 'GET') {
        await wasRefused.promise;
        return route.continue();
      }
      const response = await route.fetch();
      if (response.status() === 401) {
        wasRefused.resolve();
        await isOpen.promise;
      }
      await route.fulfill({ response });
    });
    const late = page.waitForResponse(
      (response) => response.url().endsWith('/api/v1/session') && response.status() === 401,
    );
    await page.goto(`/sign-in?to=%2Falerts${new URL(url, site.url).hash}`);
    const heading = page.getByRole('heading', { level: 1, name: 'Alerts' });
    await heading.waitFor();
    isOpen.resolve();
    await (await late).finished();
    // A later answer reaches the page after it. The dialog "Sign in" is loaded when it opens, but the button of the session goes at once.
    await page.evaluate(() => fetch('/healthz').then((response) => response.text()));
    expect(await page.getByTitle('Signed in to').count()).toBe(1);
    expect(await dialogOf(page).count()).toBe(0);
  });

  it('opens again over what was typed when the session is revoked elsewhere, and keeps it', async () => {
    const page = await site.open(`/alerts/${alert.id}`);
    await signInWith(page, site.adminKey);
    await page.getByLabel('Comment').fill('Half a sentence');
    const { session } = await page.evaluate(async () =>
      (await fetch('/api/v1/session', { headers: { 'X-Tidewatch-Console': '1' } })).json(),
    );
    await site.call('DELETE', `/sessions/${session.id}`);
    await dialogOf(page).getByText('The session has ended').waitFor({ timeout: 60_000 });
    await signInWith(page, site.adminKey);
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    expect(await page.getByLabel('Comment').inputValue()).toBe('Half a sentence');
    await page.reload();
    expect(await page.getByLabel('Comment').inputValue()).toBe('Half a sentence');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByRole('list', { name: 'Timeline' }).getByText('Half a sentence').waitFor();
  });

  it('with a key that reads disables what changes something, and says which scope it needs', async () => {
    const page = await site.open(`/alerts/${alert.id}`, { key: await site.keyWith('read') });
    await page.getByText('needs the scope write').first().waitFor();
    for (const name of ['Acknowledge', 'Silence', 'Resolve'])
      expect([name, await page.getByRole('button', { name, exact: true }).isDisabled()]).toEqual([
        name,
        true,
      ]);
  });

  it('signs out in all tabs', async () => {
    const context = await site.visitor({ key: site.adminKey });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await Promise.all([page.goto('/alerts'), other.goto('/')]);
    await page.getByRole('button', { name: /console|bootstrap|admin/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await dialogOf(page).waitFor();
    await dialogOf(other).waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  it('and the way to an acknowledged alert need no pointer', async () => {
    const page = await site.open('/alerts');
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.type(site.adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'db-03:' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await tabTo(page, /db-03: /);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'db-03: Queue is full' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor();
    await tabTo(page, 'Acknowledge');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Acknowledged by/)
      .first()
      .waitFor();
    const byName = async () => (await site.call('GET', `/alerts/${alert.id}`)).acknowledged_by?.name;
    await expect.poll(byName).toEqual(expect.any(String));
  });
});
