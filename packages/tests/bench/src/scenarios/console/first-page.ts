import type { Product } from '@tidewatch/harness/product';
import type { Browser } from 'playwright-core';
import { newVisit, signedIn, THROTTLE, type Visit } from './browser.ts';
import { traceMainThread } from './main-thread.ts';

const ROUNDS = 3;
/** Counts of hosts and alerts, and the alerts that need attention. */
const HAS_DATA = `document.querySelector('main dd a') !== null && document.querySelector('main ul li a') !== null`;
const DATA = 'bench: data';

export interface FirstPage {
  /** What the page requested before it showed data: method and path. Its icon and the script of its worker are not among them. */
  requests: string[];
  /** First contentful paint with an empty cache and with a filled one, ms, at a quarter of the processor. */
  coldPaint: number[];
  warmPaint: number[];
  /** Until data are shown, with an empty cache, ms, at a quarter of the processor. */
  data: number[];
  /** Processor time of the main thread until data are shown, ms, unthrottled. */
  cpu: number[];
  /** Layout shift of each load. */
  shifts: number[];
  longTasks: number[];
}

/** Loads the overview, each time in a browser of its own. */
export async function measureFirstPage(browser: Browser, product: Product): Promise<FirstPage> {
  const found: FirstPage = {
    requests: [],
    coldPaint: [],
    warmPaint: [],
    data: [],
    cpu: [],
    shifts: [],
    longTasks: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await signedIn(browser, product);
    const cold = await newVisit(context, THROTTLE, { [DATA]: HAS_DATA });
    const sent = watchRequests(cold);
    await cold.page.goto('/');
    const dataAt = await cold.timeOf(DATA);
    found.data.push(dataAt);
    found.requests = sent.until(dataAt + (await originOf(cold)));
    found.coldPaint.push(await paintOf(cold));
    await cold.page.waitForTimeout(1_000);
    const { shift, longTasks } = await cold.take();
    found.shifts.push(shift);
    found.longTasks.push(...longTasks.map(({ duration }) => duration));
    await cold.page.goto('/');
    await cold.timeOf(DATA);
    found.warmPaint.push(await paintOf(cold));
    await context.close();
    found.cpu.push(await traced(browser, product));
  }
  return found;
}

async function traced(browser: Browser, product: Product): Promise<number> {
  const context = await signedIn(browser, product);
  const visit = await newVisit(context, 1, { [DATA]: HAS_DATA });
  const cpu = await traceMainThread(browser, visit.page, DATA, async () => {
    await visit.page.goto('/');
    return visit.timeOf(DATA);
  });
  await context.close();
  return cpu;
}

/** Nothing of the page waits for these: the icon of its tab, and the worker that reads the stream of events. */
const BESIDE = /^\/(?:favicon\.svg|assets\/stream-worker-.*)$/;

function watchRequests({ page }: Visit) {
  const sent: { at: number; text: string }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (BESIDE.test(pathname)) return;
    sent.push({ at: Date.now(), text: `${request.method()} ${pathname}` });
  });
  /** `at` is in ms since the epoch. */
  return { until: (at: number) => sent.filter((request) => request.at <= at).map(({ text }) => text) };
}

const originOf = (visit: Visit) => visit.page.evaluate<number>('performance.timeOrigin');

const paintOf = (visit: Visit) =>
  visit.page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
