import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { breach, createRule, report } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor();
const rows = (page: Page) => page.getByRole('grid', { name: 'Events' }).getByRole('row');

describe.skipIf(lacksChromium)('[needs Chromium] events and markers', () => {
  const site = useSite();

  it('shows events as they come, filters them as the stream of the API does, and shows one as JSON', async () => {
    const page = await site.open('/events', { key: site.adminKey });
    await isLive(page);
    await page.getByText('Nothing has happened since this tab was opened').waitFor();
    await createRule(site);
    await breach(site, 'db-03');
    await report(site, 'web-01', 1);
    await rows(page)
      .filter({ hasText: 'rule.created' })
      .getByRole('link', { name: 'Queue is full' })
      .waitFor();
    const fired = rows(page).filter({ hasText: 'alert.fired' });
    await fired.waitFor();
    await rows(page).filter({ hasText: 'web-01 is' }).waitFor();

    await page.getByLabel('Host').fill('db-*');
    await page.getByLabel('Types').selectOption('service.*');
    await expect.poll(() => new URL(page.url()).searchParams.get('host')).toBe('db-*');
    expect(new URL(page.url()).searchParams.getAll('types')).toContain('service.registered');
    const registered = rows(page).filter({ hasText: 'db-03 is' });
    await registered.waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);

    await registered.click({ position: { x: 5, y: 5 } });
    const dialog = page.getByRole('dialog', { name: 'service.registered' });
    const event = JSON.parse((await dialog.locator('pre').textContent()) ?? '');
    expect(event).toMatchObject({ specversion: '1.0', data: { service: { name: 'db-03' } } });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the filter service.registered' }).click();
    await page.getByText('No event matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await fired.waitFor();
  });

  it('lists events without an axe violation at 360 and 1,280 px', async () => {
    const page = await site.open('/events', { key: site.adminKey });
    await isLive(page);
    await createRule(site);
    await rows(page).filter({ hasText: 'rule.deleted' }).waitFor();
    expect(await violationsInEveryLook(page, ['light'])).toEqual([]);
  });

  it('sets a marker, lists it within its time, and deletes it after a question', async () => {
    const page = await site.open('/markers', { key: site.adminKey });
    await settled(page);
    await page.getByText('There is no marker.').waitFor();
    await page.getByRole('button', { name: 'New marker' }).click();
    const dialog = page.getByRole('dialog', { name: 'New marker' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must not be empty.').first().waitFor();
    await dialog.getByLabel('Title').fill('api 1.4.2 deployed');
    await dialog.getByLabel('Hosts', { exact: true }).fill('web-*, db-1');
    await dialog.getByLabel('Tags', { exact: true }).fill('version=1.4.2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: 'api 1.4.2 deployed' });
    await row.waitFor();
    const { markers } = await site.call('GET', '/markers');
    expect(markers).toMatchObject([
      { title: 'api 1.4.2 deployed', selector: { hosts: ['web-*', 'db-1'] }, tags: { version: '1.4.2' } },
    ]);
    expect(Math.abs(Date.parse(markers[0].at) - Date.now())).toBeLessThan(600_000);
    await page.getByLabel('Time', { exact: true }).selectOption('-1h');
    await row.waitFor();
    await page.goto('/markers?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z');
    await page.getByText('No marker lies in this time.').waitFor();
    await page.getByRole('button', { name: 'Show any time' }).click();
    await row.getByRole('button', { name: 'Delete the marker api 1.4.2 deployed' }).click();
    await page.getByRole('button', { name: 'Delete the marker', exact: true }).click();
    await page.getByText('There is no marker.').waitFor();
    expect((await site.call('GET', '/markers')).markers).toEqual([]);
  });
});
