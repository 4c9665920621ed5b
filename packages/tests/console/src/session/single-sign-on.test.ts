import { startIdentityProvider, type TestIdentityProvider } from '@tidewatch/harness/identity-provider';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const GROUPS = { groups: [{ group: 'admins', scopes: ['admin'] }] };

const dialogOf = (page: Page, name = 'Sign in') => page.getByRole('dialog', { name });

/** Signs in on the page of the provider. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByLabel('User').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe.skipIf(lacksChromium)('[needs Chromium] single sign-on in the console', () => {
  let provider: TestIdentityProvider;
  const settings: Record<string, string> = {};
  beforeAll(async () => {
    provider = await startIdentityProvider({ groups: GROUPS });
    provider.accounts.set('anna', { email: 'anna@example.com', groups: ['admins'] });
    provider.accounts.set('guest', { email: 'guest@example.com', groups: ['visitors'] });
    Object.assign(settings, provider.settings);
  });
  const site = useOwnSite(settings);
  beforeAll(() => provider.serve(`${site.url}/sign-in/callback`));
  afterEach(() => {
    provider.spoil = null;
  });
  afterAll(() => provider?.close());

  /** Opens a page in a browser that may visit the provider, too. */
  async function open(path: string, width = 1_280, height = 800): Promise<Page> {
    return site.open(path, { tolerates: [/^another origin: /], width, height });
  }

  it('is offered in the dialog, and comes back to the URL that was asked for', async () => {
    const page = await open('/alerts?status=all', 360, 640);
    const button = dialogOf(page).getByRole('button', { name: 'Sign in with Example SSO' });
    await button.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await button.click();
    await signInAtProvider(page, 'anna');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    expect(page.url()).toBe(`${site.url}/alerts?status=all`);
    const cookies = await page.context().cookies(site.url);
    const own = cookies.filter(({ name }) => name.startsWith('tidewatch-'));
    expect(own.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, 'Strict']]);
  });

  it('confirms privileged scopes in a window of its own, which closes, while the page keeps what was typed', async () => {
    // The session at the provider is too old to confirm anything.
    provider.spoil = (claims, sign) => sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 7_200 });
    const page = await open('/services/add');
    await dialogOf(page).getByRole('button', { name: 'Sign in with Example SSO' }).click();
    await signInAtProvider(page, 'anna');
    await page.getByLabel('Name of the key').fill('agents of Anna');
    provider.spoil = null;
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = dialogOf(page, 'Confirm it is you');
    await dialog.getByText('anna@example.com').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Confirm with Example SSO' }).click(),
    ]);
    const closed = other.waitForEvent('close');
    await signInAtProvider(other, 'anna');
    await closed;
    await expect.poll(() => dialog.count()).toBe(0);
    const makers = async () => {
      const { keys } = await site.call('GET', '/keys');
      const own = keys.filter(({ name }: { name: string }) => name === 'agents of Anna');
      return own.map(({ created_by: actor }: { created_by: { name: string } }) => actor.name);
    };
    await expect.poll(makers).toEqual(['anna@example.com']);
  });

  it('refuses a user without a mapped group on a page that says why and leads back', async () => {
    const page = await open('/rules');
    await dialogOf(page).getByRole('button', { name: 'Sign in with Example SSO' }).click();
    await signInAtProvider(page, 'guest');
    await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
    await page.getByText('No group of guest@example.com has access to Tidewatch.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await dialogOf(page).waitFor();
    expect(page.url()).toBe(`${site.url}/sign-in?to=%2Frules`);
  });
});
