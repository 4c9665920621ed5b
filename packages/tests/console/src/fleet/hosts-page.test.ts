import { beforeAll, describe, expect, it } from 'vitest';
import { hostId, send } from '../charts/samples.ts';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const COUNT = 10_000;
/** A number as pages show it. */
const shown = (count: number) => count.toLocaleString('en-US');
const nameOf = (index: number) => `${index % 2 === 0 ? 'web' : 'db'}-${String(index).padStart(4, '0')}`;
/** Hosts whose CPU is at 99 %, where an alert fires. */
const CRITICAL = COUNT / 100;
const cpuOf = (index: number) => (index * 37) % 100;

describe.skipIf(lacksChromium)(`[needs Chromium] the hosts page with ${shown(COUNT)} hosts`, () => {
  const site = useSite();

  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await site.call('POST', '/alerts/rules', {
      name: 'CPU is busy',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 98,
      duration_minutes: 0,
      severity: 'critical',
    });
    const at = Date.now();
    const payloads = Array.from({ length: COUNT }, (_, index) => ({
      host: nameOf(index),
      at,
      tags: index % 3 === 0 ? undefined : { region: index % 3 === 1 ? 'eu-1' : 'us-1' },
      metrics: { cpu_percent: cpuOf(index), memory_percent: 40 },
    }));
    await send(
      site,
      payloads.map(({ tags, ...payload }) => ({ ...payload, ...(tags && { tags }) })),
    );
    await hostId(site, nameOf(0));
    await hostId(site, nameOf(COUNT - 1));
    while ((await site.call('GET', '/services?limit=1')).pagination.total < COUNT)
      await new Promise((resolve) => setTimeout(resolve, 100));
    while ((await site.call('GET', '/services?limit=1&status=critical')).pagination.total < CRITICAL)
      await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it('shows every host, the totals of the API in the legend, and few rows in the document', async () => {
    const page = await site.open('/services', { key: site.adminKey });
    await settled(page);
    await page.getByText(`${shown(COUNT)} hosts`, { exact: true }).waitFor();
    const { services } = await site.call('GET', '/summary');
    expect(services.critical).toBe(CRITICAL);
    for (const status of ['healthy', 'critical'])
      await page.getByRole('button', { name: `${shown(services[status])} ${status}`, exact: true }).waitFor();
    await page.keyboard.press('v');
    const grid = page.getByRole('grid', { name: 'Hosts' });
    await grid.waitFor();
    // Without an order in the address the worst hosts come first.
    expect(await grid.getByRole('row').nth(1).textContent()).toContain('critical');
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await grid.getByRole('row').count()).toBeLessThan(100);
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    const { services: lastOfAll } = await site.call('GET', '/services?limit=1&sort=-name');
    await grid.getByRole('row').last().getByRole('link', { name: lastOfAll[0].name, exact: true }).waitFor();
    expect(await grid.getByRole('row').count()).toBeLessThan(100);
    // The focus moves with the key, so that the keyboard goes on from there.
    const focused = page.locator('[aria-rowindex]:focus');
    await expect.poll(() => focused.getAttribute('aria-rowindex')).toBe(String(COUNT + 1));
    await page.keyboard.press('Home');
    await expect.poll(() => focused.getAttribute('aria-rowindex')).toBe('2');
  });

  it('filters as the API does, and the map, the table, the address and a reload agree', async () => {
    const page = await site.open('/services', { key: site.adminKey });
    await settled(page);
    await page.getByRole('searchbox').fill('WEB-000');
    const { total } = (await site.call('GET', '/services?limit=1&q=WEB-000')).pagination;
    const count = page.getByText(`${total} of ${shown(COUNT)}`, { exact: true });
    await count.waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('WEB-000');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.reload();
    await count.waitFor();
    await expect
      .poll(() => page.getByRole('grid', { name: 'Hosts' }).getAttribute('aria-rowcount'))
      .toBe(String(total + 1));
  });

  it('groups by a tag with the counts of the API, and sorts by the values of the API', async () => {
    const page = await site.open('/services?group_by=region', { key: site.adminKey });
    await settled(page);
    const { groups } = await site.call('GET', '/services?group_by=region');
    for (const { value, services } of groups) {
      const name = new RegExp(`^${value ?? 'without the tag'}.*${shown(services)}(?!\\d)`);
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    await page.goto('/services?view=table&sort=-cpu_percent');
    const first = page.getByRole('grid', { name: 'Hosts' }).getByRole('row').nth(1);
    await expect.poll(() => first.textContent()).toContain('99 %');
    // Each of these hosts has a value of its own.
    await page.goto('/services?view=table&sort=-cpu_percent&q=web-00');
    const { services: listed } = await site.call('GET', '/services?limit=100&q=web-00');
    const values = new Map<string, number>(
      listed.map((host: { name: string; metrics: { cpu_percent: number } }) => [
        host.name,
        host.metrics.cpu_percent,
      ]),
    );
    const descending = [...values.values()].sort((a, b) => b - a);
    await expect.poll(() => first.textContent()).toContain(`${descending[0]} %`);
    const names = await page.getByRole('grid', { name: 'Hosts' }).getByRole('link').allTextContents();
    expect(names.length).toBeGreaterThan(10);
    expect(names.map((name) => values.get(name))).toEqual(descending.slice(0, names.length));
  });

  it('announces hosts of the map by keyboard, opens the announced one, and keeps the filter in the table', async () => {
    const page = await site.open('/services?q=db-', { key: site.adminKey });
    await settled(page);
    const cell = page.getByRole('grid', { name: 'Fleet map' }).getByRole('gridcell');
    await cell.focus();
    expect(await cell.getAttribute('aria-label')).toMatch(/^db-0001, healthy, CPU 37 %, .*1 of 5,000$/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cell.getAttribute('aria-label')).toMatch(/^db-0003, .*2 of 5,000$/);
    await page.keyboard.press('v');
    // The count and the keys are there before the table is, and the map has a new cell when it comes back.
    const table = page.getByRole('grid', { name: 'Hosts' });
    await table.waitFor();
    await page.getByText(`5,000 of ${shown(COUNT)}`, { exact: true }).waitFor();
    await page.keyboard.press('v');
    await table.waitFor({ state: 'detached' });
    await cell.focus();
    expect(await cell.getAttribute('aria-label')).toMatch(/^db-0003/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'db-0003' }).waitFor();
  });

  it('compares three hosts that were selected by keyboard', async () => {
    const page = await site.open('/services?q=db-', { key: site.adminKey });
    await settled(page);
    await page.getByRole('grid', { name: 'Fleet map' }).getByRole('gridcell').focus();
    for (const key of ['x', 'ArrowRight', 'x', 'ArrowRight', 'x']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('c');
    await page.waitForURL(/\/services\/compare\?id=/);
    expect(new URL(page.url()).searchParams.getAll('id')).toHaveLength(3);
  });

  it('shows few hosts as tiles with room for their names, and many as squares', async () => {
    const sizeOf = async (path: string, width: number) => {
      const page = await site.open(path, { key: site.adminKey, width, height: 800 });
      await settled(page);
      const cell = page.getByRole('grid', { name: 'Fleet map' }).getByRole('gridcell');
      return await cell.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    };
    expect(await sizeOf('/services?q=web-000', 1_280)).toEqual([110, 36]);
    const [width, height] = await sizeOf('/services', 1_280);
    expect(width).toBe(height);
    const [onPhone] = await sizeOf('/services?q=db-00', 360);
    expect(onPhone).toBeGreaterThan(75);
  });

  it('collapses its filters behind one button on a phone, which says how many are set', async () => {
    const page = await site.open('/services', { key: site.adminKey, width: 360, height: 640 });
    await settled(page);
    expect(await page.getByLabel('Group').count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Group').selectOption('region');
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).click();
    expect(await page.getByLabel('Group').count()).toBe(0);
    expect(await page.getByLabel('Filter hosts by name or tag').isVisible()).toBe(true);
    expect(new URL(page.url()).searchParams.get('group_by')).toBe('region');
  });

  it('offers to delete a host behind "More actions", and Escape returns the focus to it', async () => {
    const page = await site.open(`/services/${await hostId(site, nameOf(0))}`, { key: site.adminKey });
    await settled(page);
    const more = page.getByRole('button', { name: 'More actions' });
    const remove = page.getByRole('button', { name: 'Delete', exact: true });
    expect(await remove.count()).toBe(0);
    await more.click();
    await remove.focus();
    await page.keyboard.press('Escape');
    expect(await remove.count()).toBe(0);
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
    await more.click();
    await remove.click();
    await page.getByRole('dialog', { name: /Delete/ }).waitFor();
  });

  it('has no axe violation and does not scroll sideways at 360 and 1,280 px', async () => {
    const page = await site.open('/services?fill=cpu_percent', { key: site.adminKey });
    for (const path of ['/services?fill=cpu_percent', '/services?view=table']) {
      if (page.url() !== site.url + path) await page.goto(path);
      await settled(page);
      await page.getByText(`${shown(COUNT)} hosts`, { exact: true }).waitFor();
      expect([path, await violationsInEveryLook(page, ['light'])]).toEqual([path, []]);
    }
  });
});
