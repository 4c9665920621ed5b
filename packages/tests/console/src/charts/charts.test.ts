import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';
import { chartOf, chartPath, openChart, pixelsOf, tableOf } from './chart-page.ts';
import { hostId, pointsOf, type Sent, send } from './samples.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Payloads every ten seconds in the last hour before the minute that has begun, with some left out. */
function hour(
  host: string,
  value: (at: number) => number | undefined,
  jitter: (index: number) => number = () => 0,
) {
  const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const from = to - HOUR_MS;
  const payloads = Array.from({ length: 360 }, (_, index): Sent[] => {
    const at = from + index * 10 * SECOND_MS + jitter(index);
    const cpu = value(at - from);
    return cpu === undefined ? [] : [{ host, at, metrics: { cpu_percent: cpu, memory_percent: 40 } }];
  });
  return { from, to, payloads: payloads.flat() };
}

describe.skipIf(lacksChromium)('[needs Chromium] charts', () => {
  const site = useSite();

  it('a host that was silent for ten minutes has a gap, in the table as in the picture, and jitter makes none', async () => {
    const isSilent = (at: number) => at >= 20 * MINUTE_MS && at < 30 * MINUTE_MS;
    const silent = hour('silent-01', (at) => (isSilent(at) ? undefined : 50));
    await send(site, silent.payloads);
    const id = await hostId(site, 'silent-01');
    await pointsOf(site, id, { metrics: 'cpu_percent' });
    const { page, chart } = await openChart(site, { id, metric: 'cpu_percent', ...silent });
    const gaps = (await tableOf(page, chart, 'cpu_percent')).filter(([text]) => text?.startsWith('No data'));
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.[0]).toContain('10 min');
    expect(await pixelsOf(chart, 'series-1', [0.1, 0.3, 0, 1])).toBeGreaterThan(50);
    // Minutes 20 to 30 of 60: a third to a half of the width.
    expect(await pixelsOf(chart, 'series-1', [0.36, 0.48, 0, 1])).toBe(0);

    const late = hour(
      'jitter-01',
      () => 50,
      (index) => ((index * 7) % 7) * SECOND_MS - 3 * SECOND_MS,
    );
    await send(site, late.payloads);
    const other = await hostId(site, 'jitter-01');
    await pointsOf(site, other, { metrics: 'cpu_percent' });
    const jittered = await openChart(site, { id: other, metric: 'cpu_percent', ...late });
    const rows = await tableOf(jittered.page, jittered.chart, 'cpu_percent');
    expect(rows.filter(([text]) => text?.startsWith('No data'))).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('one sample of 100 among samples of 10 over a week reaches the band and the table', async () => {
    const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const from = to - 7 * DAY_MS + HOUR_MS;
    const spike = from + 3 * DAY_MS;
    const payloads: Sent[] = [];
    for (let at = from; at < to; at += 10 * MINUTE_MS)
      payloads.push({ host: 'spike-01', at, metrics: { cpu_percent: at === spike ? 100 : 10 } });
    await send(site, payloads);
    const id = await hostId(site, 'spike-01');
    await pointsOf(site, id, { metrics: 'cpu_percent', from: new Date(from).toISOString() });
    const { page, chart } = await openChart(site, { id, metric: 'cpu_percent', from, to });
    const rows = await tableOf(page, chart, 'cpu_percent');
    expect(rows.map(([, , , max]) => max)).toContain('100 %');
    expect(rows.map(([, mean]) => mean)).not.toContain('100 %');
    const place = (spike - from) / (to - from);
    // Between 60 % and 70 % there is nothing but the band around the spike.
    expect(await pixelsOf(chart, 'series-1', [place - 0.006, place + 0.004, 0.3, 0.4])).toBeGreaterThan(0);
    expect(await pixelsOf(chart, 'series-1', [place + 0.05, place + 0.06, 0.3, 0.4])).toBe(0);
  });

  it('a drag zooms all charts and the URL, reads finer steps, and Back returns', async () => {
    const { payloads, from, to } = hour('zoom-01', (at) => 30 + (at % 7));
    await send(site, payloads);
    const id = await hostId(site, 'zoom-01');
    await pointsOf(site, id, { metrics: 'cpu_percent' });
    const { page, chart } = await openChart(site, { id, metric: 'cpu_percent', from: from - DAY_MS, to });
    const before = page.url();
    const steps: number[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/metrics'))
        steps.push(Number.parseInt(url.searchParams.get('step') ?? '', 10));
    });
    const box = await chart.locator('.u-over').boundingBox();
    if (box === null) throw new Error('the chart is not drawn');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.96, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.98, y, { steps: 4 });
    await page.mouse.move(box.x + box.width * 0.995, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => url.href !== before);
    const chosen = new URL(page.url()).searchParams;
    const length = Date.parse(chosen.get('to') ?? '') - Date.parse(chosen.get('from') ?? '');
    expect(length / (DAY_MS + HOUR_MS)).toBeCloseTo(0.035, 2);
    await expect.poll(() => steps.length).toBeGreaterThan(0);
    expect(Math.max(...steps)).toBeLessThan(300);
    await page.goBack();
    expect(page.url()).toBe(before);
  });

  it('alert, threshold and marker stand at their times as named buttons, where the link of a notification leads', async () => {
    await site.call('POST', '/alerts/rules', {
      name: 'CPU of marked hosts',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
      duration_minutes: 0,
      severity: 'critical',
      scope: { hosts: ['marked-*'] },
    });
    const now = Date.now();
    const sample = (at: number, cpu: number): Sent => ({
      host: 'marked-01',
      at,
      metrics: { cpu_percent: cpu },
    });
    await send(site, [sample(now - 120 * SECOND_MS, 20), sample(now - 60 * SECOND_MS, 99), sample(now, 99)]);
    const at = new Date(now - 90 * SECOND_MS).toISOString();
    await site.call('POST', '/markers', {
      title: 'api 14.2 deployed',
      at,
      selector: { hosts: ['marked-01'] },
    });
    const id = await hostId(site, 'marked-01');
    await expect.poll(async () => (await site.call('GET', `/alerts?service_id=${id}`)).alerts.length).toBe(1);
    const { page, chart } = await openChart(site, {
      id,
      metric: 'cpu_percent',
      from: now - 10 * MINUTE_MS,
      to: now + 2 * MINUTE_MS,
    });
    await chart.getByRole('button', { name: /^Threshold critical 90 %: CPU of marked hosts/ }).waitFor();
    await chart.getByRole('button', { name: /^Alert: CPU of marked hosts, cpu_percent/ }).waitFor();
    const marker = chart.getByRole('button', { name: /^Marker: api 14.2 deployed/ });
    await marker.waitFor();
    const track = await chart.locator('.u-over').boundingBox();
    const box = await marker.boundingBox();
    if (track === null || box === null) throw new Error('the marker is not drawn');
    const share = (box.x + box.width / 2 - track.x) / track.width;
    expect(share).toBeCloseTo((10 * MINUTE_MS - 90 * SECOND_MS) / (12 * MINUTE_MS), 1);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('arrow keys announce the values of the API point by point', async () => {
    const { payloads, from, to } = hour('keys-01', (at) => Math.round(at / (10 * SECOND_MS)) / 10 + 20);
    await send(site, payloads);
    const id = await hostId(site, 'keys-01');
    await pointsOf(site, id, { metrics: 'cpu_percent' });
    const { page, chart } = await openChart(site, {
      id,
      metric: 'cpu_percent',
      from: to - 10 * MINUTE_MS,
      to,
    });
    const range = { from: new Date(to - 10 * MINUTE_MS).toISOString(), to: new Date(to).toISOString() };
    const points = await pointsOf(site, id, { metrics: 'cpu_percent', step: '10s', ...range });
    expect(from).toBeLessThan(to);
    await chart.getByRole('application').focus();
    const said = page.getByRole('status', { name: 'Cursor' });
    for (const [presses, point] of [points.at(-1), points.at(-2), points.at(-3)].entries()) {
      await page.keyboard.press(presses === 0 ? 'End' : 'ArrowLeft');
      await expect.poll(() => said.textContent()).toContain(`${Number(point?.avg.toPrecision(3))} %`);
    }
  });

  it('"Copy link" of the last hour shows the same range elsewhere, the PNG is not empty, and the CSV is the one of the API', async () => {
    const { payloads } = hour('share-01', () => 42);
    await send(site, payloads);
    const id = await hostId(site, 'share-01');
    await pointsOf(site, id, { metrics: 'cpu_percent' });
    const context = await site.visitor({ key: site.adminKey });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(`/services/${id}?metric=cpu_percent`);
    const chart = chartOf(page, 'cpu_percent');
    await chart.getByText('mean, min to max').waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    const [start, end] = [link.searchParams.get('from') ?? '', link.searchParams.get('to') ?? ''];
    expect(Date.parse(end) - Date.parse(start)).toBe(HOUR_MS);

    const elsewhere = await site.open(link.pathname + link.search, { key: site.adminKey });
    await chartOf(elsewhere, 'cpu_percent').getByText('mean, min to max').waitFor();
    expect(new URL(elsewhere.url()).searchParams.get('from')).toBe(start);

    const shared = chartOf(elsewhere, 'cpu_percent');
    await shared.getByRole('button', { name: 'Actions of cpu_percent' }).click();
    const png = elsewhere.waitForEvent('download');
    await shared.getByRole('button', { name: 'PNG' }).click();
    const picture = await readFile(await (await png).path());
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.length).toBeGreaterThan(5_000);
    const csv = elsewhere.waitForEvent('download');
    const address = await shared.getByRole('link', { name: 'CSV' }).getAttribute('href');
    await shared.getByRole('link', { name: 'CSV' }).click();
    const saved = await readFile(await (await csv).path(), 'utf8');
    const direct = await fetch(site.url + address, { headers: { 'X-API-Key': site.adminKey } });
    expect(saved).toBe(await direct.text());
    expect(saved.split('\n').length).toBeGreaterThan(10);
  });

  it('u changes every time on the page and no value', async () => {
    const { payloads, from, to } = hour('zone-01', (at) => 10 + at / MINUTE_MS);
    await send(site, payloads);
    const id = await hostId(site, 'zone-01');
    await pointsOf(site, id, { metrics: 'cpu_percent' });
    const context = await site.visitor({ key: site.adminKey });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
    await page.goto(chartPath({ id, metric: 'cpu_percent', from, to }));
    const chart = chartOf(page, 'cpu_percent');
    await chart.getByText('mean, min to max').waitFor();
    const local = await tableOf(page, chart, 'cpu_percent');
    await page.keyboard.press('u');
    await expect.poll(() => page.getByRole('button', { name: 'Zone: UTC' }).count()).toBe(1);
    const utc = await chart
      .getByRole('table', { name: 'Data of cpu_percent' })
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')),
      );
    expect(utc.map((row) => row.slice(1))).toEqual(local.map((row) => row.slice(1)));
    expect(local.every(([time]) => /CES?T$/.test(time ?? ''))).toBe(true);
    expect(utc.every(([time]) => time?.endsWith('UTC'))).toBe(true);
  });
});
