import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

/** Names that agents and users may choose, and that must not change a page. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202etxt.exe';

describe.skipIf(lacksChromium)('[needs Chromium] the settings', () => {
  const site = useSite();

  const opened = async (path: string, key = site.adminKey): Promise<Page> => {
    const page = await site.open(path, { key });
    await settled(page);
    return page;
  };

  it('keep preferences in the browser, and begin with the start page that is preferred', async () => {
    const page = await opened('/settings/preferences');
    await page.getByRole('group', { name: 'Theme' }).getByLabel('Dark').check();
    await page.getByRole('group', { name: 'Density' }).getByLabel('Compact').check();
    await page.getByRole('group', { name: 'Times' }).getByLabel('In UTC').check();
    await page.getByRole('group', { name: 'Start page' }).getByLabel('Alerts').check();
    await page.getByRole('button', { name: 'Zone: UTC' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact');
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('show a rotated key with its grace period, and which hosts have moved to the new one', async () => {
    const former = await site.call('POST', '/keys', { name: 'agents', scopes: ['ingest'] });
    const report = async (secret: string, ...hosts: string[]) => {
      const response = await fetch(`${site.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
        body: JSON.stringify(hosts.map((host) => ({ host, metrics: { cpu_percent: 1 } }))),
      });
      expect(response.status).toBe(200);
    };
    const page = await opened(`/settings/keys/${former.id}`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate agents' });
    await dialog.getByLabel('Grace period').fill('-1');
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Grace period').fill('2');
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'The new key “agents”' });
    const secret = (await shown.locator('code').textContent()) ?? '';
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    const rotation = page.getByRole('region', { name: 'Rotation' });
    await rotation.getByText('works until').waitFor();
    const { replaced_by } = await site.call('GET', `/keys/${former.id}`);
    const used = (id: string) => async () => (await site.call('GET', `/keys/${id}`)).recent_hosts.length;
    // The first use of a key is noted at once, further ones once a minute.
    await report(former.secret, 'web-1', 'web-2');
    await expect.poll(used(former.id), { timeout: 30_000 }).toBe(2);
    await report(secret, 'web-1');
    await expect.poll(used(replaced_by), { timeout: 30_000 }).toBe(1);
    await page.reload();
    await rotation.getByText('1 of 2 hosts use the new key.').waitFor();
    await rotation.getByRole('list', { name: 'Still on the former key' }).getByText('web-2').waitFor();
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
  });

  it('revoke a key once its name was typed, and show its name as text', async () => {
    const { id, secret } = await site.call('POST', '/keys', { name: HOSTILE, scopes: ['read'] });
    const page = await opened('/settings/keys');
    const shown = HOSTILE.replace('\u202e', '\\u202e');
    await page.getByRole('grid', { name: 'Keys' }).getByRole('link', { name: shown }).click();
    await page.getByRole('heading', { level: 1, name: shown }).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    const revoke = dialog.getByRole('button', { name: 'Revoke the key' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByLabel('Type the name').fill(shown);
    await revoke.click();
    await page.getByText('revoked', { exact: true }).first().waitFor();
    expect((await site.call('GET', `/keys/${id}`)).revoked_at).not.toBeNull();
    const status = async () =>
      (await fetch(`${site.url}/api/v1/services`, { headers: { 'X-API-Key': secret } })).status;
    await expect.poll(status, { timeout: 30_000 }).toBe(401);
  });

  it('revoke a session while a rule is half typed there; the draft is complete after the sign-in, and saves', async () => {
    const typing = await opened('/rules/new');
    await typing.getByLabel('Name').fill('Half a rule');
    await typing.getByLabel('Threshold', { exact: true }).fill('91');
    const { session } = await typing.evaluate(async () =>
      (await fetch('/api/v1/session', { headers: { 'X-Tidewatch-Console': '1' } })).json(),
    );
    const page = await opened('/settings/sessions');
    const own = page.getByRole('listitem').filter({ hasText: 'this browser' });
    expect(await own.count()).toBe(1);
    const { sessions } = await site.call('GET', '/sessions');
    const place = sessions.findIndex(({ id }: { id: string }) => id === session.id);
    const line = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').nth(place);
    await line.getByRole('button', { name: /^Revoke / }).click();
    const question = page.getByRole('dialog', { name: 'Revoke the session' });
    await question.getByRole('button', { name: 'Revoke', exact: true }).click();
    await question.waitFor({ state: 'detached' });

    const dialog = typing.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByText('The session has ended').waitFor({ timeout: 60_000 });
    await dialog.getByLabel('API key').fill(site.adminKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await typing.getByLabel('Name').inputValue()).toBe('Half a rule');
    await typing.getByRole('button', { name: 'Save as shadow' }).click();
    await typing.getByRole('heading', { level: 1, name: 'Half a rule' }).waitFor();
    const { rules } = await site.call('GET', '/alerts/rules?q=Half%20a%20rule');
    expect(rules).toMatchObject([{ threshold: 91, mode: 'shadow' }]);
  });

  it('sign in a display by a link that is shown once, which opens the overview without navigation', async () => {
    const page = await opened('/settings/sessions');
    await page.getByRole('button', { name: 'New display' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Wall in the office');
    await page.getByRole('button', { name: 'Create the link' }).click();
    const shown = page.getByRole('dialog', { name: 'New display' });
    const link = new URL((await shown.locator('code').textContent()) ?? '');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    const display = await (await site.visitor()).newPage();
    await display.goto(link.pathname + link.search + link.hash);
    await display.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(display.url()).search).toBe('?display=1');
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'Wall in the office' }).getByText('display').waitFor();
  });

  it('show limits with their present use', async () => {
    const page = await opened('/settings/limits');
    const { rules } = await site.call('GET', '/limits');
    const row = page.getByRole('row', { name: /^Alert rules/ });
    await row.getByRole('link', { name: String(rules.used), exact: true }).waitFor();
    await row.getByText('10,000').waitFor();
    await row.getByText(/^(0|< 0\.1|0\.\d) %$/).waitFor();
  });

  it('filter the audit log in the URL, and show what a change changed', async () => {
    const { id } = await site.call('POST', '/alerts/rules', {
      name: 'Audited',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
    });
    await fetch(`${site.url}/api/v1/alerts/rules/${id}`, {
      method: 'PATCH',
      headers: { 'X-API-Key': site.adminKey, 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ threshold: 95 }),
    });
    const page = await opened(`/settings/audit?object=${id}`);
    const log = page.getByRole('list', { name: 'Audit log' });
    await expect.poll(() => log.getByRole('listitem').count()).toBe(2);
    await page.getByLabel('Action').selectOption('rule.updated');
    await expect.poll(() => log.getByRole('listitem').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('action')).toBe('rule.updated');
    await log.getByRole('button', { name: 'Show changes of Audited' }).click();
    await page.getByRole('row', { name: 'threshold 90 95' }).waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('Exact times …');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00:01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00:01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('No record matches.').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('from')).toMatch(/^20(19|20)-/);
    expect(searchParams.get('to')).toMatch(/^2020-01-0[123]T/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL('**/settings/audit');
  });

  it('with a key that reads disable what needs more, and say which scope that is', async () => {
    const key = await site.keyWith('read');
    const page = await opened('/settings/keys', key);
    expect(await page.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true);
    for (const [path, text] of [
      ['/settings/keys', 'The list of keys needs the scope admin.'],
      ['/settings/organizations', 'The list of organizations needs the scope operator.'],
      ['/settings/audit', 'The audit log needs the scope admin.'],
      ['/channels', 'needs the scope write'],
      ['/rules/new', 'needs the scope write'],
    ] as const) {
      await page.goto(path);
      await page.getByText(text).first().waitFor();
    }
  });

  it('have no axe violation with content and open dialogs at 360 and 1,280 px', async () => {
    const { id } = await site.call('POST', '/keys', { name: HOSTILE.repeat(3), scopes: ['ingest', 'read'] });
    const page = await (await site.visitor({ key: site.adminKey })).newPage();
    for (const [path, button] of [
      ['/settings/keys', 'New key'],
      [`/settings/keys/${id}`, 'Rotate'],
      ['/settings/sessions', 'New sign-in link'],
      ['/settings/audit', /^Show changes of/],
    ] as const) {
      await page.goto(path);
      await settled(page);
      await page.getByRole('button', { name: button }).first().click();
      expect([path, await violationsInEveryLook(page, ['light'])]).toEqual([path, []]);
    }
  });
});
