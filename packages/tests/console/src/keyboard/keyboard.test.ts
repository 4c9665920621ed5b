import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook, violationsOf } from '../site/accessibility.ts';
import { breach, createRule, type FiredAlert } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search hosts, rules and commands' });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const zone = (page: Page) => page.getByRole('button', { name: /^Zone/ }).textContent();

describe.skipIf(lacksChromium)('[needs Chromium] the keyboard in the console', () => {
  const site = useSite();
  let alert: FiredAlert;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    alert = await breach(site, 'web-01');
  });

  async function open(path: string, options = {}): Promise<Page> {
    const page = await site.open(path, { key: site.adminKey, ...options });
    await settled(page);
    return page;
  }

  it('opens the palette from a field by Ctrl K, finds a host by the API, and lists it first the next time', async () => {
    const page = await open('/alerts');
    await page.getByLabel('Host', { exact: true }).focus();
    await page.keyboard.press('Control+k');
    await field(page).fill('WEB-0');
    const hosts = palette(page).getByRole('group', { name: 'Hosts' });
    await hosts.getByRole('option', { name: /^web-01/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'web-01' }).waitFor();
    expect(pathOf(page)).toBe(`/services/${alert.service_id}`);
    await page.keyboard.press('Control+k');
    const first = palette(page).getByRole('option').first();
    await expect.poll(() => first.textContent()).toBe('web-01');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
  });

  it('finds rules, alerts, pages and commands, and says where nothing matches', async () => {
    const page = await open('/system');
    await page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click();
    await field(page).fill('queue');
    const group = (name: string) => palette(page).getByRole('group', { name });
    await group('Rules')
      .getByRole('option', { name: /Queue is full/ })
      .waitFor();
    await group('Active alerts')
      .getByRole('option', { name: /web-01/ })
      .waitFor();
    await group('Metrics').getByRole('option', { name: 'queue_length' }).waitFor();
    await field(page).fill('no such thing');
    await palette(page).getByText('Nothing matches “no such thing”.').waitFor();
    await field(page).fill('dark theme');
    await palette(page).getByRole('option', { name: 'Dark theme' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await field(page).fill('add host');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/services/add');
  });

  it('silences a host that was typed, after its dialog has listed what is muted', async () => {
    const page = await open('/system');
    await page.keyboard.press('Control+k');
    await field(page).fill('silence web');
    await palette(page).getByRole('option', { name: 'Silence web-01 for 1 hour' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Silence' });
    await dialog.getByRole('region', { name: 'Muted now' }).getByText('web-01:').waitFor();
    expect((await site.call('GET', '/silences')).silences).toEqual([]);
    await dialog.getByRole('button', { name: 'Silence for 1 hour' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { silences } = await site.call('GET', '/silences');
    expect(silences).toMatchObject([{ matchers: { hosts: ['web-01'], rule_ids: [] } }]);
  });

  it('goes to pages by two keys, also from a row, which takes no key of them', async () => {
    const page = await open('/alerts');
    await page.getByRole('row').filter({ hasText: 'web-01:' }).focus();
    for (const [key, path] of [
      ['a', '/alerts'],
      ['h', '/services'],
      ['r', '/rules'],
      ['q', '/query'],
      ['o', '/'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(`**${path}`);
    }
    expect((await site.call('GET', `/alerts/${alert.id}`)).acknowledged_at).toBeNull();
  });

  it('uses no single key while a field has the focus, and goes to the filter by /', async () => {
    const page = await open('/services');
    await page.getByText('1 host', { exact: true }).waitFor();
    const before = await zone(page);
    await page.keyboard.press('/');
    await page.keyboard.type('gu?');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('gu?');
    expect([await zone(page), await help(page).count()]).toEqual([before, 0]);
  });

  it('lists the shortcuts of the page by ?, and disables all of single characters by one switch', async () => {
    const page = await open(`/alerts/${alert.id}`);
    await page.keyboard.press('?');
    for (const words of ['Acknowledge', 'Silence', 'Resolve', 'Go to Hosts'])
      await help(page).getByText(words, { exact: true }).waitFor();
    expect(await help(page).getByText('Edit the rule').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await help(page).getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await help(page).waitFor({ state: 'detached' });
    await page.reload();
    await settled(page);
    const before = await zone(page);
    for (const key of ['u', 'g', 'h', 'a', '?']) await page.keyboard.press(key);
    expect([await zone(page), pathOf(page), await help(page).count()]).toEqual([
      before,
      `/alerts/${alert.id}`,
      0,
    ]);
    expect((await site.call('GET', `/alerts/${alert.id}`)).acknowledged_at).toBeNull();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
  });

  it('has no axe violation in the palette at 360 and 1,280 px, and forgets visits at the sign-out', async () => {
    const page = await open(`/alerts/${alert.id}`, { width: 360, height: 640, theme: 'dark' });
    await page
      .getByRole('button', { name: /^Search/ })
      .filter({ visible: true })
      .click();
    await field(page).fill('web');
    await palette(page).getByRole('option', { name: 'Silence web-01 for 1 hour' }).waitFor();
    expect(await violationsInEveryLook(page, ['dark'])).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('tidewatch.visited'))).toContain(alert.id);
    await field(page).fill('sign out');
    await palette(page).getByRole('option', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('tidewatch.visited'))).toBeNull();
  });
});
