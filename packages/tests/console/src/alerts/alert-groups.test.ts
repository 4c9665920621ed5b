import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { breach, createRule } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

describe.skipIf(lacksChromium)('[needs Chromium] the list of alerts in groups', () => {
  const site = useSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await site.call('POST', '/ingest', { host: 'db-01', metrics: { x: 1 }, tags: { region: 'eu-1' } });
    await createRule(site);
    await site.call('POST', '/markers', {
      title: 'queue 2.1 deployed',
      at: new Date(Date.now() - 60_000).toISOString(),
      selector: { tags: { region: 'eu-1' } },
    });
    for (const host of ['db-01', 'db-02']) await breach(site, host);
  });

  it('has a heading for each rule, host or value of a tag, which closes and opens it, and the group in the address', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    await settled(page);
    await page.getByLabel('Group').selectOption('rule');
    await page.waitForURL('**/alerts?group=rule');
    const heading = page.getByRole('button', { name: 'Queue is full 2 alerts' });
    await heading.waitFor();
    const row = page.getByRole('row').filter({ hasText: 'db-01:' });
    await row.waitFor();
    await heading.click();
    await row.waitFor({ state: 'detached' });
    expect(await heading.getAttribute('aria-expanded')).toBe('false');
    await page.getByLabel('Group').selectOption('host');
    await page.getByRole('button', { name: 'db-02 1 alert' }).waitFor();
    await page.goto('/alerts?group=tag.region');
    await page.getByRole('button', { name: 'eu-1 1 alert' }).waitFor();
    await page.getByRole('button', { name: 'no region 1 alert' }).waitFor();
  });

  it('shows the alerts of a time, of the last hours or exactly', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    await settled(page);
    await page.getByLabel('Fired').selectOption('-1h');
    await page.waitForURL('**/alerts?from=-1h');
    await page.getByText('2 alerts', { exact: true }).waitFor();
    await page.getByLabel('Fired').selectOption('exact');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00:00');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('No alert matches these filters.').waitFor();
    const { searchParams } = new URL(page.url());
    expect(Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')).toBe(
      86_400_000,
    );
  });

  it('names a deployment shortly before on the overview, at the alert of a host that it concerns and at no other', async () => {
    const page = await site.open('/', { key: site.adminKey });
    const line = (host: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name: new RegExp(`^${host}: `) }) });
    await line('db-01').getByRole('link', { name: 'queue 2.1 deployed' }).waitFor();
    expect(await line('db-02').textContent()).not.toContain('queue 2.1');
    const alerts = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Alerts/ });
    expect(await alerts.textContent()).toContain('2 critical alerts');
  });

  it('acknowledges the alerts of a folded line once a dialog has named them, and says how many are acknowledged', async () => {
    const hosts = ['eu-01', 'eu-02', 'eu-03', 'eu-04'];
    const { id: rule_id } = await site.call('POST', '/alerts/rules', {
      name: 'Folded',
      metric: 'folded_length',
      condition: 'greater_than',
      threshold: 1,
      duration_minutes: 0,
    });
    for (const host of hosts) await site.call('POST', '/ingest', { host, metrics: { folded_length: 2 } });
    const listed = async () => (await site.call('GET', `/alerts?rule_id=${rule_id}`)).alerts;
    await expect.poll(async () => (await listed()).length).toBe(4);
    await site.call('POST', `/alerts/${(await listed())[0].id}/acknowledge`, {});
    const page = await site.open('/', { key: site.adminKey });
    const line = page.getByRole('listitem').filter({ hasText: 'Folded on 4 hosts' });
    await line.getByText(/^1 of 4 acknowledged by /).waitFor();
    await line.getByRole('button', { name: 'Acknowledge all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 3 alerts: Folded' });
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3);
    await dialog.getByRole('button', { name: 'Acknowledge 3' }).click();
    await line.getByText(/^all 4 acknowledged by /).waitFor();
    expect(
      (await listed()).every(({ acknowledged_at }: { acknowledged_at: string }) => acknowledged_at),
    ).toBe(true);
    expect(await line.getByRole('button', { name: 'Acknowledge all' }).count()).toBe(0);
    await line.getByRole('link', { name: 'Show all 4' }).click();
    await page.waitForURL(`**/alerts?rule_id=${rule_id}`);
    await site.call('DELETE', `/alerts/rules/${rule_id}`);
  });

  it('does not repeat the host in the sentence beside its name, and keeps it for assistive technology', async () => {
    const page = await site.open('/alerts', { key: site.adminKey });
    const link = page.getByRole('grid').getByRole('link', { name: 'db-01: queue_length is 98.5, above 97.' });
    await link.waitFor();
    expect(await link.locator('.visually-hidden').textContent()).toBe('db-01: ');
  });

  it('has no axe violation and does not scroll sideways at 360 and 1,280 px', async () => {
    const page = await site.open('/alerts?group=rule', { key: site.adminKey, theme: 'dark' });
    await page.getByRole('button', { name: 'Queue is full 2 alerts' }).waitFor();
    expect(await violationsInEveryLook(page, ['dark'])).toEqual([]);
  });

  it('says of an ended alert how long it lasted and when it ended', async () => {
    const { alerts } = await site.call('GET', '/alerts?host=db-02');
    await site.call('POST', `/alerts/${alerts[0].id}/resolve`, {});
    const page = await site.open('/alerts?status=all', { key: site.adminKey });
    const rows = page.getByRole('grid').getByRole('row');
    await rows.filter({ hasText: /db-02.*lasted .+, ended .+ago/ }).waitFor();
    expect(await rows.filter({ hasText: /db-01.*for \d+ (s|min)/ }).count()).toBe(1);
  });
});
