import { fileURLToPath } from 'node:url';
import { launchWholeChromium } from '@tidewatch/harness/chromium';
import type { Product } from '@tidewatch/harness/product';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { until } from '../../api.ts';

const IN_PAGE = fileURLToPath(new URL('./in-page.js', import.meta.url));
/** The slower processor of a phone or of an old computer, which budgets of pages assume. */
export const THROTTLE = 4;
/** A busy machine is late, ms. */
const WITHIN_MS = 180_000;
/** A new window loads pages of the browser itself, such as that of the address bar; a link is opened in a window that is there. */
const WINDOW_MS = 1_500;
const VIEWPORT = { width: 1_280, height: 800 };

/** A condition of the page, as an expression in its language, whose first time is marked by its name. */
export type Watches = Readonly<Record<string, string>>;

/** What a page has recorded since it was asked last. Times are ms. */
export interface Recorded {
  longTasks: { startTime: number; duration: number }[];
  /** The sum of layout shifts that no input caused. */
  shift: number;
  /** The longest event of each interaction that took 16 ms or longer. */
  interactions: Record<string, { duration: number; name: string }>;
  /** How often the page received each event, by its id. */
  received: Record<string, number>;
  /** The times between frames. */
  frames: number[];
  /** From the time of each event `alert.fired` until its row was in the document. */
  visible: number[];
}

/** A page of a browser of its own, that is signed in. */
export interface Visit {
  page: Page;
  cdp: CDPSession;
  context: BrowserContext;
  /** Takes what the page has recorded. */
  take(): Promise<Recorded>;
  /** The durations of measures with this name, which the page forgets, ms. */
  durationsOf(name: string): Promise<number[]>;
  /** Waits until a watched condition holds; returns when that was, ms since the navigation began. */
  timeOf(name: string): Promise<number>;
  throttle(rate: number): Promise<void>;
  close(): Promise<void>;
}

export function openBrowser(): Promise<Browser> {
  return launchWholeChromium(['--js-flags=--expose-gc']);
}

/** A browser context with its own cache and session: what it loads first is loaded cold. */
export async function signedIn(browser: Browser, { url, key }: Product): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORT });
  await context.addInitScript({ path: IN_PAGE });
  const response = await context.request.post('/api/v1/session', {
    headers: { 'X-Tidewatch-Console': '1' },
    data: { key },
  });
  if (response.status() !== 201)
    throw new Error(`sign-in: ${response.status()} ${(await response.text()).slice(0, 500)}`);
  return context;
}

/** A new page in the context, on which nothing is open yet. */
export async function newVisit(
  context: BrowserContext,
  throttle = THROTTLE,
  watches: Watches = {},
): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(WITHIN_MS);
  for (const [name, expression] of Object.entries(watches))
    await page.addInitScript(`tidewatchProbe.watch(${JSON.stringify(name)}, () => ${expression})`);
  const cdp = await context.newCDPSession(page);
  const setThrottle = async (rate: number) => {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  };
  await page.waitForTimeout(WINDOW_MS);
  await setThrottle(throttle);
  return {
    page,
    cdp,
    context,
    take: () => page.evaluate<Recorded>('tidewatchProbe.take()'),
    durationsOf: (name) => page.evaluate<number[]>(`tidewatchProbe.durationsOf(${JSON.stringify(name)})`),
    async timeOf(name) {
      const expression = `tidewatchProbe.timeOf(${JSON.stringify(name)})`;
      const found = await until(
        async () => (await page.evaluate<number | null>(expression)) ?? undefined,
        WITHIN_MS,
        50,
      );
      if (found === undefined) throw new Error(`timeout: ${page.url()} never satisfied "${name}"`);
      return found;
    },
    throttle: setThrottle,
    close: () => page.close(),
  };
}
