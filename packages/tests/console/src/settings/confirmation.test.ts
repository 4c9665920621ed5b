import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const AS_CONSOLE = { headers: { 'X-Tidewatch-Console': '1' } };
/** Moves each session a minute back, and raises their revision, after which the product reads each again. */
const A_MINUTE_LATER = `
  update sessions set created_at = created_at - interval '1 minute', last_used_at = last_used_at - interval '1 minute',
    confirmed_until = confirmed_until - interval '1 minute';
  delete from sessions where false`;

/** The state of the session of a page, as the API answers it. */
async function sessionOf(page: Page): Promise<{ confirmed_until: string; server: { time: string } }> {
  const answer = await page.request.get('/api/v1/session', AS_CONSOLE);
  return answer.json();
}

describe.skipIf(lacksChromium)('[needs Chromium] a session whose confirmation has ended', () => {
  const site = useOwnSite({ TIDEWATCH_SESSION_CONFIRM_MINUTES: '1' });
  let page: Page;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    page = await site.open('/settings/keys', { key: site.adminKey });
    await settled(page);
  });

  it('is asked for its key before a key is created, and goes on without losing the form', async (context) => {
    const { age } = site.target;
    if (age === undefined) return context.skip('the data of the target is somebody else’s');
    await page.getByRole('button', { name: 'New key' }).click();
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.getByLabel('Name').fill('agents in eu-1');
    await form.getByRole('checkbox', { name: /^ingest/ }).check();
    await form.getByLabel('Hosts').fill('web-*, db-1');
    const leftMs = async () => {
      const { confirmed_until, server } = await sessionOf(page);
      return Date.parse(confirmed_until) - Date.parse(server.time);
    };
    // The confirmation lasts for no longer than the setting says.
    expect(await leftMs()).toBeLessThanOrEqual(MINUTE_MS);
    await age(A_MINUTE_LATER);
    expect(await leftMs()).toBeLessThanOrEqual(0);
    await expect.poll(async () => (await page.request.get('/api/v1/keys', AS_CONSOLE)).status()).toBe(403);

    // The event of this key makes the list behind the form stale, which nobody has asked to read again.
    await site.call('POST', '/keys', { name: 'made elsewhere', scopes: ['read'] });
    await page.getByText('it may have changed since').waitFor({ state: 'attached' });
    const confirmation = page.getByRole('dialog', { name: 'Confirm it is you' });
    expect(await confirmation.count()).toBe(0);

    await form.getByRole('button', { name: 'Create the key' }).click();
    await confirmation.waitFor();
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('agents in eu-1');
    await form.getByRole('button', { name: 'Create the key' }).click();
    await confirmation.getByLabel('API key').fill('tw_of_somebody_else');
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
    await confirmation.getByRole('alert').waitFor();
    await confirmation.getByLabel('API key').fill(site.adminKey);
    await confirmation.getByRole('button', { name: 'Confirm' }).click();

    const shown = page.getByRole('dialog', { name: 'The key “agents in eu-1”' });
    const secret = (await shown.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^tw_/);
    await page.keyboard.press('Escape');
    expect(await shown.count()).toBe(1);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('grid', { name: 'Keys' }).getByText('agents in eu-1').waitFor();
    await page.getByRole('grid', { name: 'Keys' }).getByText('made elsewhere').waitFor();
    expect(await page.content()).not.toContain(secret);
    const { keys } = await site.call('GET', '/keys?q=agents');
    expect(keys).toMatchObject([{ scopes: ['ingest'], hosts: ['web-*', 'db-1'], expires_at: null }]);
  });
});
