import { createClient } from '@tidewatch/e2e/client';
import { enact, endedInvestigation, investigationOf } from '@tidewatch/e2e/investigations/incident';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsInEveryLook, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { chartOf, chartPath, tableOf } from './chart-page.ts';
import { hostId, pointsOf, send } from './samples.ts';

const HOUR_MS = 3_600_000;
const NAMES = ['db-01', 'db-02', 'db-03'] as const;
const TABS = ['metrics', 'parts', 'containers', 'processes', 'alerts', 'changes', 'rules'] as const;

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
        parts: [
          { kind: 'filesystem', name: '/var', labels: { type: 'ext4' }, used_percent: 81.2, read_only: 0 },
          { kind: 'unit', name: 'nginx.service', failed: 0 },
        ],
      })),
    );
    await site.call('POST', '/ingest', payloads);
    const ids = await Promise.all(NAMES.map((name) => hostId(site, name)));
    for (const id of ids) await pointsOf(site, id, { metrics: 'cpu_percent' });
    return ids;
  }

  it('every tab of a host has no axe violation and does not scroll sideways at 360 and 1,280 px', async () => {
    const [id] = await hosts();
    const page = await site.open(`/services/${id}`, { key: site.adminKey });
    const content: Partial<Record<(typeof TABS)[number], Locator>> = {
      processes: page.getByRole('grid', { name: 'Processes' }).getByText('postgres'),
      parts: page
        .getByRole('grid', { name: 'Parts of the kind filesystem' })
        .getByText('/var', { exact: true }),
      containers: page.getByRole('grid', { name: 'Containers' }).getByText('api', { exact: true }),
    };
    for (const tab of TABS) {
      await page.goto(`/services/${id}?tab=${tab}`);
      await settled(page);
      await page.getByRole('tab', { name: new RegExp(`^${tab}`, 'i'), selected: true }).waitFor();
      await content[tab]?.waitFor();
      expect([tab, await violationsInEveryLook(page, ['light'])]).toEqual([tab, []]);
      await content[tab]?.waitFor();
    }
  });

  it('the parts of a host stand by kind, and the one that is chosen has a chart of each of its metrics', async () => {
    const [id] = await hosts();
    const page = await site.open(`/services/${id}`, { key: site.adminKey });
    await page.getByRole('tab', { name: 'Parts 2' }).click();
    const row = page
      .getByRole('grid', { name: 'Parts of the kind filesystem' })
      .getByRole('row', { name: /\/var/ });
    await expect.poll(() => row.textContent()).toContain('type=ext4');
    expect(await row.textContent()).toContain('81.2 %');
    await row.click();
    await page.waitForURL((url) => url.searchParams.get('subject') === 'part:filesystem:/var');
    const charts = page.getByRole('region', { name: 'Charts of filesystem /var' });
    await expect.poll(() => charts.getByRole('figure').count()).toBe(2);
    await charts.getByRole('button', { name: 'Close charts' }).click();
    await expect.poll(() => charts.count()).toBe(0);
  });

  it('parts with long names of metrics keep the headings in their columns, and each part shows a value with its unit', async () => {
    await site.call('POST', '/ingest', {
      host: 'shop-01',
      metrics: { cpu_percent: 1 },
      parts: [
        {
          kind: 'service',
          name: 'checkout',
          'checkout.duration_count_per_second': 9.5,
          'checkout.duration_mean': 20,
          'checkout.duration_p50': 17.5,
          'checkout.duration_p95': 24.3,
        },
        { kind: 'service', name: 'checkout,payment=card', orders_per_second: 12.5 },
        { kind: 'sensor', name: 'core0', temperature_celsius: 41 },
        { kind: 'unit', name: 'nginx.service', failed: 1, active: 0 },
      ],
    });
    const path = `/services/${await hostId(site, 'shop-01')}?tab=parts`;
    const page = await site.open(path, { key: site.adminKey });
    const tableOfParts = (kind: string) => page.getByRole('grid', { name: `Parts of the kind ${kind}` });
    const rowOf = (kind: string) => tableOfParts(kind).getByRole('row').last();
    await expect.poll(() => rowOf('service').textContent()).toContain('12.5/s');
    expect(await rowOf('sensor').textContent()).toContain('41 °C');
    expect(await rowOf('unit').getByRole('gridcell').allTextContents()).toEqual(
      expect.arrayContaining(['yes', 'no']),
    );
    const headings = tableOfParts('service').getByRole('columnheader');
    const overflows = await headings.evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((each) => each.textContent),
    );
    expect([await headings.count(), overflows]).toEqual([6, []]);
  });

  it('three hosts are compared in one chart for each metric with three named lines, also in another browser', async () => {
    const ids = await hosts();
    const path = `/services/compare?${ids.map((id) => `id=${id}`).join('&')}`;
    const shown = async (page: Page) => {
      await settled(page);
      const lines = chartOf(page, 'cpu_percent').getByRole('list', { name: 'Lines' }).getByRole('listitem');
      await expect.poll(() => lines.allTextContents()).toEqual(['db-0110 %', 'db-0220 %', 'db-0330 %']);
      expect(await page.getByRole('row', { name: /^version/ }).textContent()).toBe('version14.214.114.1');
    };
    await shown(await site.open(path, { key: site.adminKey, width: 360 }));
    const page = await site.open(path, { key: site.adminKey });
    await shown(page);
    expect(await violationsInEveryLook(page, ['light'])).toEqual([]);
  });

  it('a comparison shows the metrics that were chosen, also after a reload', async () => {
    const ids = await hosts();
    const page = await site.open(`/services/compare?${ids.map((id) => `id=${id}`).join('&')}`, {
      key: site.adminKey,
    });
    await settled(page);
    await chartOf(page, 'memory_percent').waitFor();
    await page.getByText('All 2 metrics').click();
    await page.getByRole('group', { name: 'Metrics' }).getByLabel('cpu_percent').check();
    await page.waitForURL((url) => url.searchParams.get('metrics') === 'cpu_percent');
    await expect.poll(() => chartOf(page, 'memory_percent').count()).toBe(0);
    await page.reload();
    await page.getByText('1 of 2 metrics').waitFor();
    await chartOf(page, 'cpu_percent').waitFor();
    expect(await chartOf(page, 'memory_percent').count()).toBe(0);
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

  it('the chart of an alert that was investigated has the alert, the threshold, the finding and a marker as named buttons at their times', async () => {
    const client = createClient(site.target);
    const incident = await enact(client, { trouble: true });
    await site.call('POST', '/markers', {
      title: 'api 14.2 deployed',
      at: incident.at(-20),
      selector: { hosts: [incident.host] },
    });
    const found = await endedInvestigation(client, await investigationOf(client, incident.alert.id));
    const cause = found.findings.find(
      ({ id }: { id: string }) => id === found.analysis.root_cause_finding_id,
    );
    const alert = await site.call('GET', `/alerts/${incident.alert.id}`);

    const page = await site.open(`/alerts/${incident.alert.id}`, { key: site.adminKey });
    await settled(page);
    const chart = chartOf(page, incident.metric);
    await chart.getByRole('button', { name: /critical: above 90|Threshold critical 90/ }).waitFor();
    const [from, to] = [Date.parse(alert.pending_since) - 45 * 60_000, Date.now()];
    const track = await chart.locator('.u-over').boundingBox();
    if (track === null) throw new Error('the chart is not drawn');
    for (const [name, at] of [
      [/^Alert: rule-/, alert.fired_at],
      [/Finding: .*runaway-job|\d+ findings/, cause.started_at],
      [/^Marker: api 14\.2 deployed/, incident.at(-20)],
    ] as const) {
      const button = chart.getByRole('button', { name }).first();
      await button.waitFor();
      const box = await button.boundingBox();
      if (box === null) throw new Error(`${name} is not drawn`);
      const wanted = track.x + ((Date.parse(at) - from) / (to - from)) * track.width;
      expect(box.x - 15).toBeLessThanOrEqual(wanted);
      expect(box.x + box.width + 15).toBeGreaterThanOrEqual(wanted);
    }
  });

  it.each([
    ['forward', '2026-03-28T23:00:00Z', 23],
    ['back', '2026-10-24T22:00:00Z', 25],
  ])(
    'a chart of the day when clocks go %s has a value for each hour of the day, and no time twice',
    async (way, start, hours) => {
      const from = Date.parse(start);
      const to = from + hours * HOUR_MS;
      const host = `clock-${way}`;
      await send(
        site,
        Array.from({ length: hours }, (_, hour) => ({
          host,
          at: from + hour * HOUR_MS,
          metrics: { cpu_percent: 10 + hour },
        })),
      );
      const id = await hostId(site, host);
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      await pointsOf(site, id, { metrics: 'cpu_percent', ...range });
      const context = await site.visitor({ key: site.adminKey });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
      await page.goto(chartPath({ id, metric: 'cpu_percent', from, to }));
      const chart = chartOf(page, 'cpu_percent');
      await chart.getByText('mean, min to max').waitFor();
      const rows = (await tableOf(page, chart, 'cpu_percent')).filter(([, value]) => value?.endsWith('%'));
      const times = rows.map(([time = '']) => time);
      expect(times).toHaveLength(hours);
      expect(new Set(times).size).toBe(hours);
      expect(new Set(times.map((time) => time.slice(0, 10))).size).toBe(1);
      expect(new Set(times.map((time) => time.split(' ').at(-1)))).toEqual(new Set(['CET', 'CEST']));
    },
  );
});
