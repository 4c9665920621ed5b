import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { send } from '../charts/samples.ts';
import { settled } from '../pages/visits.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const METRIC = 'disk_percent';

interface PreviewBody {
  alerts: { host: string }[];
  alerts_total: number;
  services_evaluated: number;
  curve: { threshold: number; duration_minutes: number; alerts: number }[];
}

describe.skipIf(lacksChromium)('[needs Chromium] the preview of a rule', () => {
  const site = useSite();
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    const end = Math.floor(Date.now() / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
    const payloads = [];
    for (let at = end - 2 * DAY_MS; at < end; at += 10 * MINUTE_MS) {
      const step = Math.round((at - end) / (10 * MINUTE_MS));
      for (const [host, base] of [
        ['db-01', 60],
        ['db-02', 50],
      ] as const)
        payloads.push({ host, at, metrics: { [METRIC]: base + 35 * Math.abs(Math.sin(step / 9)) } });
    }
    await send(site, payloads);
  });

  /** Opens the editor with the rule "disk_percent above `threshold`"; resolves with the page and its exact preview. */
  async function editor(threshold: number): Promise<{ page: Page; preview: PreviewBody }> {
    const page = await site.open(`/rules/new?metric=${METRIC}`, { key: site.adminKey });
    await settled(page);
    const answered = nextPreview(page, threshold);
    await page.getByLabel('Name').fill('Disk is nearly full');
    await page.getByLabel('Threshold', { exact: true }).fill(String(threshold));
    await page.getByLabel('For', { exact: true }).fill('10');
    const preview = await answered;
    await page.getByText(/alerts? on \d hosts?/).waitFor();
    return { page, preview };
  }

  /** The next answer of the API for a rule with this threshold. */
  async function nextPreview(page: Page, threshold: number): Promise<PreviewBody> {
    const response = await page.waitForResponse((each) => {
      if (!each.url().endsWith('/rules/preview') || !each.ok()) return false;
      const { rule } = each.request().postDataJSON();
      return rule.threshold === threshold && rule.duration_minutes === 10;
    });
    return response.json();
  }

  const pointsOf = (page: Page) => page.getByRole('button', { name: /^Set the threshold to/ });
  /** The thresholds of the points that the curve shows now. */
  const thresholdsOf = async (page: Page): Promise<number[]> => {
    const names = await pointsOf(page).evaluateAll((buttons) => buttons.map((button) => button.ariaLabel));
    return names.map((name) => Number(/^Set the threshold to ([\d.]+)/.exec(name ?? '')?.[1]));
  };
  const thresholdOf = (page: Page) => page.getByLabel('Threshold', { exact: true }).inputValue();

  it('has the numbers, the bars and the curve of the API', async () => {
    const { page, preview } = await editor(80);
    const hosts = new Set(preview.alerts.map(({ host }) => host)).size;
    expect(preview.alerts_total).toBeGreaterThan(2);
    const region = page.getByRole('region', { name: 'What it would have done in the last 7 days' });
    const numbers = region.getByRole('status');
    await expect
      .poll(() => numbers.textContent())
      .toMatch(new RegExp(`^${preview.alerts_total} alerts on ${hosts} hosts · max `));
    const bars = await region
      .locator('[class*=lane]:has(> [class*=bars])')
      .evaluateAll((lanes) =>
        lanes.map((lane) => [lane.children[0]?.textContent, lane.querySelectorAll('i').length]),
      );
    const expected = [...new Set(preview.alerts.map(({ host }) => host))].map((host) => [
      host,
      preview.alerts.filter((alert) => alert.host === host).length,
    ]);
    expect(new Map(bars as [string, number][])).toEqual(new Map(expected as [string, number][]));
    const names = await pointsOf(page).evaluateAll((buttons) => buttons.map((button) => button.ariaLabel));
    const points = preview.curve.filter(({ duration_minutes }) => duration_minutes === 10);
    expect(names).toEqual(
      points.map(({ threshold, alerts }) =>
        expect.stringMatching(new RegExp(`^Set the threshold to ${threshold} %: ${alerts} alerts$`)),
      ),
    );
    await region.getByText(new RegExp(`^${preview.services_evaluated} hosts, from `)).waitFor();
    // The hosts have reported for two days of the seven.
    const since = await region.getByText(/^2 hosts match and report the metric, since /).textContent();
    const began = Date.parse(
      since
        ?.match(/since (\S+ \S+) UTC\.$/)?.[1]
        ?.replace(' ', 'T')
        .concat('Z') ?? '',
    );
    expect(Math.abs(Date.now() - 2 * DAY_MS - began)).toBeLessThan(30 * MINUTE_MS);
  });

  it('sets the threshold by a click on the curve, a drag along it, its arrow keys, and a drag of the line', async () => {
    const { page, preview } = await editor(80);
    const points = preview.curve.filter(({ duration_minutes }) => duration_minutes === 10);
    await pointsOf(page).nth(3).click();
    expect(await thresholdOf(page)).toBe(String(points[3]?.threshold));

    const moveTo = async (point: number) => {
      const box = await pointsOf(page).nth(point).boundingBox();
      if (box === null) throw new Error('the curve is not drawn');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
    };
    await moveTo(5);
    await page.mouse.down();
    // The page may still move, and the curve change, by what they say of the threshold before.
    const reached = await vi.waitFor(
      async () => {
        await moveTo(9);
        const threshold = Number(await thresholdOf(page));
        expect(threshold).toBe((await thresholdsOf(page))[9]);
        return threshold;
      },
      { timeout: 10_000 },
    );
    await page.mouse.up();
    const dragged = Number(await thresholdOf(page));
    expect(dragged).toBe(reached);
    expect(dragged).toBeGreaterThan(points[5]?.threshold ?? Number.NaN);

    await page.locator('button[aria-pressed=true]').focus();
    await page.keyboard.press('ArrowLeft');
    expect(Number(await thresholdOf(page))).toBeLessThan(dragged);
    await page.keyboard.press('End');
    const last = Number(await thresholdOf(page));
    expect(last).toBe(Math.max(...(await thresholdsOf(page))));

    const plot = await page.getByRole('img', { name: /in the last 7 days/ }).boundingBox();
    if (plot === null) throw new Error('the plot is not drawn');
    const at = (value: number) => plot.y + plot.height * (1 - value / 100);
    await page.mouse.move(plot.x + plot.width / 2, at(last));
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width / 2, at(70), { steps: 8 });
    await page.mouse.up();
    expect(Number(await thresholdOf(page))).toBeCloseTo(70, -1);
    expect(Number(await thresholdOf(page))).not.toBe(last);
  });

  it('labels the former result while the next one is computed', async () => {
    const { page } = await editor(80);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/rules/preview', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Threshold', { exact: true }).fill('90');
    await page.getByText(/^ ?for .*80/).waitFor();
    const next = nextPreview(page, 90);
    release();
    await next;
    await expect.poll(() => page.getByText(/^ ?for .*80/).count()).toBe(0);
  });
});
