import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import { type Api, until } from '../../api.ts';
import { newVisit, type Recorded, signedIn, type Visit } from './browser.ts';
import { sendEvents } from './event-load.ts';
import { type PageMemory, readMemory, readMemoryWithCode } from './page-memory.ts';

export const EVENTS_PER_SECOND = 50;
/**
 * Tasks, frames and times until an event is visible are those of the first ten minutes, at a quarter of the speed. The heap, and
 * the tasks at full speed, are those of the time after them, when what the page keeps up to a limit has reached it and the code that runs at each event is compiled.
 */
const MAX_WATCHED_SECONDS = 600;
const SAMPLE_SECONDS = 120;
/** Events are sent for so much longer, in which the last sample is read. */
const SENT_AFTER_SECONDS = 60;
const SETTLE_MS = 5_000;
/** How often what the page has recorded is taken from it, ms. */
const COLLECT_MS = 5_000;

/** The first part of the measurement, of which everything is recorded, and that in which the heap is watched. */
type Part = 'throttled' | 'unthrottled';

export interface LivePage {
  /** For so long the heap was watched, after `watchedSeconds`. */
  seconds: number;
  /** For so many seconds tasks, frames and the times until events were visible were recorded. */
  watchedSeconds: number;
  sent: number;
  /** Events that the page received: different ones, and those that came more than once. */
  received: number;
  repeated: number;
  /** Whether the list has the alerts of the API in its order, each once, and the same total. */
  agrees: boolean;
  /** The long tasks, ms: at a quarter of the speed for `watchedSeconds`, and at full speed while the heap was watched. */
  longTasks: number[];
  unthrottledTasks: number[];
  frames: number[];
  /** From the time of an event until its alert was visible, ms. */
  visible: number[];
  /** Before the first event, after `watchedSeconds`, every two minutes from then on, and after `seconds`. */
  memory: [atFirst: PageMemory, warm: PageMemory, ...PageMemory[]];
}

/** The list of alerts while fifty events a second arrive: what it does at first, then what it keeps for `seconds`. */
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
  const watchedSeconds = Math.min(MAX_WATCHED_SECONDS, seconds);
  const collected = new Collected();
  const atFirst = await readMemoryWithCode(visit);
  await visit.take();
  const sending = sendEvents(api, EVENTS_PER_SECOND, watchedSeconds + seconds + SENT_AFTER_SECONDS);
  const collectUntil = collectorOf(visit, collected, sending);
  await visit.page.evaluate('tidewatchProbe.startFrames()');
  await collectUntil(watchedSeconds, 'throttled');
  await visit.page.evaluate('tidewatchProbe.stopFrames()');
  await visit.throttle(1);
  const memory: LivePage['memory'] = [atFirst, await readMemoryWithCode(visit)];
  // The garbage collection of that reading is a task of the measurement.
  collected.add(await visit.take(), null);
  for (let at = SAMPLE_SECONDS; at < seconds; at += SAMPLE_SECONDS) {
    await collectUntil(watchedSeconds + at, 'unthrottled');
    memory.push(await readMemory(visit));
    collected.add(await visit.take(), null);
  }
  await collectUntil(watchedSeconds + seconds, 'unthrottled');
  // Events still arrive, as they did when it was warm: without them the list would be shorter.
  memory.push(await readMemoryWithCode(visit));
  const sent = await sending;
  await visit.page.waitForTimeout(SETTLE_MS);
  collected.add(await visit.take(), null);
  const agrees = (await until(() => agreement(visit, api), SETTLE_MS, 500)) ?? false;
  await context.close();
  const { longTasks, unthrottledTasks, frames, visible, received, repeated } = collected;
  return {
    seconds,
    watchedSeconds,
    sent,
    agrees,
    memory,
    longTasks,
    unthrottledTasks,
    frames,
    visible,
    received,
    repeated,
  };
}

/** Takes what the page records, until so many seconds after now; throws if the events could not be sent. */
function collectorOf(visit: Visit, collected: Collected, sending: Promise<unknown>) {
  const began = performance.now();
  // A failure is thrown where the next part is collected.
  sending.catch(() => undefined);
  return async (second: number, part: Part): Promise<void> => {
    const end = began + second * 1_000;
    do {
      const waitMs = Math.min(COLLECT_MS, Math.max(0, end - performance.now()));
      await Promise.race([sending, visit.page.waitForTimeout(waitMs)]);
      collected.add(await visit.take(), part);
    } while (performance.now() < end);
  };
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

/** What the page recorded, taken from it every few seconds: kept there it would count as memory of the page. */
class Collected {
  readonly longTasks: number[] = [];
  readonly unthrottledTasks: number[] = [];
  readonly frames: number[] = [];
  readonly visible: number[] = [];
  readonly #received = new Map<string, number>();

  add({ longTasks, frames, visible, received }: Recorded, part: Part | null): void {
    if (part === 'unthrottled') for (const { duration } of longTasks) this.unthrottledTasks.push(duration);
    if (part === 'throttled') {
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
