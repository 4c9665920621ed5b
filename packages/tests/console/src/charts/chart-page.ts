import type { Locator, Page } from 'playwright-core';
import { settled } from '../pages/visits.ts';
import type { Site, VisitOptions } from '../site/site.ts';

export interface ChartAddress {
  id: string;
  metric: string;
  from: number;
  to: number;
}

/** The address of a host's page with one metric enlarged, as links of notifications have it. */
export function chartPath({ id, metric, from, to }: ChartAddress): string {
  const iso = (at: number) => new Date(at).toISOString();
  return `/services/${id}?${new URLSearchParams({ metric, from: iso(from), to: iso(to) })}`;
}

/** Opens that page; the enlarged chart is the first of its metric. */
export async function openChart(
  site: Site,
  address: ChartAddress,
  options: VisitOptions = {},
): Promise<{ page: Page; chart: Locator }> {
  const page = await site.open(chartPath(address), { key: site.adminKey, ...options });
  await settled(page);
  const chart = chartOf(page, address.metric);
  await chart.getByText('mean, min to max').waitFor();
  return { page, chart };
}

export function chartOf(page: Page, metric: string): Locator {
  return page.getByRole('figure', { name: metric, exact: true }).first();
}

/** Opens the table of a chart by its key; resolves to the rows, each as the texts of its cells. */
export async function tableOf(page: Page, chart: Locator, metric: string): Promise<string[][]> {
  await chart.getByRole('application').focus();
  await page.keyboard.press('d');
  const table = chart.getByRole('table', { name: `Data of ${metric}` });
  await table.waitFor();
  return table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')));
}

/**
 * How many pixels of a part of the plot have the colour of a token, lines as well as bands, with some tolerance. The part
 * is given as shares of width and height.
 */
export function pixelsOf(
  chart: Locator,
  token: string,
  [left, right, top, bottom]: [number, number, number, number],
): Promise<number> {
  return chart.evaluate(
    (section, { name, part }) => {
      const MIN_ALPHA = 30;
      const canvas = section.querySelector('canvas');
      const over = section.querySelector('.u-over')?.getBoundingClientRect();
      const context = canvas?.getContext('2d');
      if (!canvas || !over || !context) throw new Error('the chart is not drawn');
      const place = canvas.getBoundingClientRect();
      const ratio = canvas.width / place.width;
      const x = (share: number) => Math.round((over.left - place.left + share * over.width) * ratio);
      const y = (share: number) => Math.round((over.top - place.top + share * over.height) * ratio);
      const [x0, x1, y0, y1] = [x(part[0]), x(part[1]), y(part[2]), y(part[3])] as [
        number,
        number,
        number,
        number,
      ];
      const probe = section.appendChild(document.createElement('span'));
      probe.style.color = `var(--${name})`;
      const wanted = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
      probe.remove();
      const { data } = context.getImageData(x0, y0, Math.max(x1 - x0, 1), Math.max(y1 - y0, 1));
      let count = 0;
      for (let index = 0; index < data.length; index += 4) {
        const isClose = [0, 1, 2].every(
          (channel) => Math.abs((data[index + channel] ?? 0) - (wanted[channel] ?? 0)) < 40,
        );
        if (isClose && (data[index + 3] ?? 0) > MIN_ALPHA) count += 1;
      }
      return count;
    },
    { name: token, part: [left, right, top, bottom] as const },
  );
}
