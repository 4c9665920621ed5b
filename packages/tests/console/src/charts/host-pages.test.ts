import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { chartOf } from './chart-page.ts';
import { hostId, pointsOf } from './samples.ts';

const NAMES = ['db-01', 'db-02', 'db-03'] as const;
const TABS = ['metrics', 'containers', 'processes', 'alerts', 'changes', 'rules'] as const;

describe.skipIf(lacksChromium)('[needs Chromium] pages of hosts that report', () => {
  const site = useSite();

  /** Three hosts with two samples each; resolves to their ids. */
  async function hosts(): Promise<string[]> {
    const now = Date.now();
    const payloads = NAMES.flatMap((host, index) =>
      [30_000, 20_000, 10_000, 0].map((age) => ({
        host,
        timestamp: new Date(now - age).toISOString(),
        tags: { role: 'db', version: index === 0 ? '14.2' : '14.1' },
        metrics: { cpu_percent: 10 * (index + 1), memory_percent: 40 },
        docker_containers: [{ name: 'api', image: 'shop/api:1', status: 'running', cpu_percent: 3 }],
        processes: [{ name: 'postgres', pid: 1, cpu_percent: 12, memory_rss: 6e9 }],
      })),
    );
    await site.call('POST', '/ingest', payloads);
    const ids = await Promise.all(NAMES.map((name) => hostId(site, name)));
    for (const id of ids) await pointsOf(site, id, { metrics: 'cpu_percent' });
    return ids;
  }

  it.each([360, 1_280])(
    'every tab of a host has no axe violation and does not scroll sideways at %i px',
    async (width) => {
      const [id] = await hosts();
      const page = await site.open(`/services/${id}`, { key: site.adminKey, width, height: 800 });
      for (const tab of TABS) {
        await page.goto(`/services/${id}?tab=${tab}`);
        await settled(page);
        await page.getByRole('tab', { name: new RegExp(`^${tab}`, 'i'), selected: true }).waitFor();
        expect([tab, await violationsOf(page)]).toEqual([tab, []]);
        expect([tab, await overflowOf(page)]).toEqual([tab, 0]);
      }
      await page.goto(`/services/${id}?tab=processes`);
      await page.getByRole('grid', { name: 'Processes' }).getByText('postgres').waitFor();
      await page.goto(`/services/${id}?tab=containers`);
      await page.getByRole('grid', { name: 'Containers' }).getByText('api', { exact: true }).waitFor();
    },
  );

  it('three hosts are compared in one chart for each metric with three named lines, also in another browser', async () => {
    const ids = await hosts();
    const path = `/services/compare?${ids.map((id) => `id=${id}`).join('&')}`;
    for (const width of [1_280, 360]) {
      const page = await site.open(path, { key: site.adminKey, width });
      await settled(page);
      const lines = chartOf(page, 'cpu_percent').getByRole('list', { name: 'Lines' }).getByRole('listitem');
      await expect.poll(() => lines.allTextContents()).toEqual(['db-0110 %', 'db-0220 %', 'db-0330 %']);
      expect(await page.getByRole('row', { name: /^version/ }).textContent()).toBe('version14.214.114.1');
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });

  it('a query charts the groups of a tag, and offers what is allowed where it is refused', async () => {
    await hosts();
    const page = await site.open('/query?metric=cpu_percent&group_by=version&aggregate=max', {
      key: site.adminKey,
    });
    await settled(page);
    const lines = chartOf(page, 'cpu_percent').getByRole('list', { name: 'Lines' }).getByRole('listitem');
    await expect
      .poll(() => lines.allTextContents())
      .toEqual(expect.arrayContaining(['version=14.130 %', 'version=14.210 %']));
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('/query?metric=cpu_percent&step=10&from=-30d');
    await page.getByRole('button', { name: '6-hour steps' }).click();
    await page.waitForURL((url) => url.searchParams.get('step') === '21600');
    await chartOf(page, 'cpu_percent').getByText('6-hour steps').waitFor();
  });
});
