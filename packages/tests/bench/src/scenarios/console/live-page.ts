import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import { type Api, until } from '../../api.ts';
import { newVisit, type Recorded, signedIn, type Visit } from './browser.ts';
import { sendEvents } from './event-load.ts';

export const EVENTS_PER_SECOND = 50;
/** The heap is compared with what it was after this time, or after a quarter of a shorter run, seconds. */
const MAX_WARM_UP_SECONDS = 300;
/** Tasks, frames and times until an event is visible are those of the first ten minutes; the heap is that of the whole run. */
const MAX_WATCHED_SECONDS = 600;
const SETTLE_MS = 5_000;
/** How often what the page has recorded is taken from it, ms. */
const COLLECT_MS = 5_000;

export interface PageMemory {
  /** After a garbage collection, bytes. */
  heap: number;
  nodes: number;
  listeners: number;
}

export interface LivePage {
  seconds: number;
  /** For so many of them tasks, frames and the times until events were visible were recorded. */
  watchedSeconds: number;
  sent: number;
  /** Events that the page received: different ones, and those that came more than once. */
  received: number;
  repeated: number;
  /** Whether the list has the alerts of the API in its order, each once, and the same total. */
  agrees: boolean;
  longTasks: number[];
  frames: number[];
  /** From the time of an event until its alert was visible, ms. */
  visible: number[];
  before: PageMemory;
  after: PageMemory;
}

/** The list of alerts while fifty events a second arrive. */
export async function measureLivePage(
  browser: Browser,
  product: Product,
  api: Api,
  seconds: number,
): Promise<LivePage> {
  const context = await signedIn(browser, product);
  const visit = await newVisit(context);
  await visit.page.goto('/alerts');
  await visit.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await visit.page.getByRole('grid', { name: 'Alerts' }).getByRole('row').nth(1).waitFor();
  await visit.page.waitForTimeout(SETTLE_MS);
  await visit.take();
  await visit.page.evaluate('tidewatchProbe.startFrames()');
  const warmUp = Math.min(MAX_WARM_UP_SECONDS, seconds / 4);
  const watchedSeconds = Math.min(MAX_WATCHED_SECONDS, seconds);
  const collected = new Collected();
  let before: PageMemory | undefined;
  let sent: number | undefined;
  const began = performance.now();
  const sending = sendEvents(api, EVENTS_PER_SECOND, seconds).then((count) => {
    sent = count;
  });
  while (sent === undefined) {
    await Promise.race([sending, visit.page.waitForTimeout(COLLECT_MS)]);
    const elapsed = (performance.now() - began) / 1_000;
    collected.add(await visit.take(), elapsed < watchedSeconds + COLLECT_MS / 1_000);
    // Garbage collections that were asked for are no tasks of the page.
    if (elapsed >= warmUp && before === undefined) {
      before = await memoryOf(visit);
      collected.add(await visit.take(), false);
    }
  }
  await visit.page.waitForTimeout(SETTLE_MS);
  await visit.page.evaluate('tidewatchProbe.stopFrames()');
  collected.add(await visit.take(), seconds <= watchedSeconds);
  const agrees = (await until(() => agreement(visit, api), SETTLE_MS, 500)) ?? false;
  const after = await memoryOf(visit);
  await context.close();
  const { longTasks, frames, visible, received, repeated } = collected;
  const page = { longTasks, frames, visible, received, repeated };
  return { seconds, watchedSeconds, sent: sent ?? 0, agrees, before: before ?? after, after, ...page };
}

/** True once the page shows the alerts of the API; undefined while it does not. */
async function agreement({ page }: Visit, api: Api): Promise<true | undefined> {
  const { alerts, pagination } = await api.get<{ alerts: { host: string }[]; pagination: { total: number } }>(
    '/alerts?limit=10',
  );
  const total = await page
    .getByRole('status')
    .filter({ hasText: / alerts?$/ })
    .textContent();
  const rows = await page.getByRole('grid', { name: 'Alerts' }).getByRole('row').allTextContents();
  const shown = rows.flatMap((text) => /web-\d{5}/.exec(text)?.[0] ?? []);
  const isSame = alerts.every(({ host }, index) => shown[index] === host);
  return isSame &&
    new Set(shown).size === shown.length &&
    total?.replace(/\D/g, '') === String(pagination.total)
    ? true
    : undefined;
}

async function memoryOf({ cdp }: Visit): Promise<PageMemory> {
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

/** What the page recorded, taken from it every few seconds: kept there it would count as memory of the page. */
class Collected {
  readonly longTasks: number[] = [];
  readonly frames: number[] = [];
  readonly visible: number[] = [];
  readonly #received = new Map<string, number>();

  add({ longTasks, frames, visible, received }: Recorded, isWatched: boolean): void {
    if (isWatched) {
      for (const { duration } of longTasks) this.longTasks.push(duration);
      for (const frame of frames) this.frames.push(frame);
      for (const ms of visible) this.visible.push(ms);
    }
    for (const [id, count] of Object.entries(received))
      this.#received.set(id, (this.#received.get(id) ?? 0) + count);
  }

  get received(): number {
    return this.#received.size;
  }

  get repeated(): number {
    return [...this.#received.values()].filter((count) => count > 1).length;
  }
}
