import { beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { breach, createRule } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

describe.skipIf(lacksChromium)('[needs Chromium] the list of alerts in groups', () => {
  const site = useSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await site.call('POST', '/ingest', { host: 'db-01', metrics: { x: 1 }, tags: { region: 'eu-1' } });
    await createRule(site);
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

  it.each([360, 1_280])('has no axe violation and does not scroll sideways at %i px', async (width) => {
    const page = await site.open('/alerts?group=rule', {
      key: site.adminKey,
      width,
      height: 640,
      theme: 'dark',
    });
    await page.getByRole('button', { name: 'Queue is full 2 alerts' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });
});
