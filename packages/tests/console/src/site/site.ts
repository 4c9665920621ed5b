import { inOwnOrganization } from '@tidewatch/e2e/client';
import { openTarget, type Target } from '@tidewatch/e2e/target';
import { launchChromium } from '@tidewatch/harness/chromium';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { lacksChromium } from './chromium.ts';
import { Faults } from './faults.ts';
import { askSharedProduct } from './shared-product.ts';

export type Scope = 'read' | 'write' | 'admin' | 'operator' | 'ingest';

export interface VisitOptions {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  reducedMotion?: boolean;
  /** The key that the browser has signed in with; nobody is signed in without it. */
  key?: string;
  /** Faults that this test expects, such as a server that was stopped. */
  tolerates?: readonly RegExp[];
}

/** The running product of a suite, and a browser. */
export interface Site {
  /** The address of the product, without a slash at the end. */
  readonly url: string;
  /** A key with every scope of the organization. */
  readonly adminKey: string;
  readonly target: Target;
  readonly browser: Browser;
  /** Calls the API with the admin key; returns the parsed answer of a success and throws otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are whatever the path answers
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** A new key with these scopes. */
  keyWith(...scopes: Scope[]): Promise<string>;
  /** A browser context of its own, as of another browser. It is closed after the test. */
  visitor(options?: VisitOptions): Promise<BrowserContext>;
  /** Opens a path in a context of its own. */
  open(path: string, options?: VisitOptions): Promise<Page>;
}

/** How long a page has for what a test waits for: a busy machine is late, and what does not come at all fails all the same. */
const PATIENCE_MS = 60_000;

type Settings = Readonly<Record<string, string>>;

/**
 * Opens an organization of the suite's own on the product that suites share, and a browser, which is closed after the suite.
 * After each test every page that was opened has to be free of faults.
 */
export function useSite(): Site {
  return siteOf(openOrganization);
}

/**
 * As `useSite`, with a product for the suite alone: for settings, for the scope `operator`, and for suites that stop the
 * product or count what the whole process does. Settings that are known after other parts have started come from a function.
 */
export function useOwnSite(settings: Settings | (() => Promise<Settings>) = {}): Site {
  return siteOf(async () => openTarget(typeof settings === 'function' ? await settings() : settings));
}

/** A new organization on the shared product; the target of the run where there is none. */
async function openOrganization(): Promise<Target> {
  const address = inject('sharedProduct');
  if (address === undefined) return openTarget();
  const organization = await inOwnOrganization(await askSharedProduct(address));
  return { ...organization, metricsOf: () => [organization.url], close: async () => {} };
}

function siteOf(openProduct: () => Promise<Target>): Site {
  let target: Target | undefined;
  let browser: Browser | undefined;
  let visits: { context: BrowserContext; faults: Faults }[] = [];

  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    [target, browser] = await Promise.all([openProduct(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await target?.close();
  });
  afterEach(async () => {
    const faults = visits.flatMap((visit) => visit.faults.lines);
    await Promise.all(visits.map(({ context }) => context.close()));
    visits = [];
    expect(faults).toEqual([]);
  });

  const opened = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the site is open within its tests alone');
    return part;
  };
  const site: Site = {
    get url() {
      return opened(target).url;
    },
    get adminKey() {
      return opened(target).key;
    },
    get target() {
      return opened(target);
    },
    get browser() {
      return opened(browser);
    },
    async call(method, path, body) {
      const response = await fetch(`${site.url}/api/v1${path}`, {
        method,
        headers: {
          'X-API-Key': site.adminKey,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async keyWith(...scopes) {
      return (await site.call('POST', '/keys', { name: `console ${scopes.join(' ')}`, scopes })).secret;
    },
    async visitor({
      width = 1_280,
      height = 800,
      theme = 'light',
      reducedMotion = false,
      key,
      tolerates = [],
    } = {}) {
      const context = await site.browser.newContext({
        baseURL: site.url,
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        hasTouch: width < 700,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const faults = new Faults(site.url, tolerates);
      visits.push({ context, faults });
      await faults.watch(context);
      if (key !== undefined) await signIn(context, key);
      return context;
    },
    async open(path, options) {
      const page = await (await site.visitor(options)).newPage();
      await page.goto(path);
      return page;
    },
  };
  return site;
}

/** Gives the browser the cookie of a new session, as the sign-in of the console does. */
async function signIn(context: BrowserContext, key: string): Promise<void> {
  const response = await context.request.post('/api/v1/session', {
    headers: { 'X-Tidewatch-Console': '1' },
    data: { key },
  });
  if (response.status() !== 201)
    throw new Error(`sign-in answered ${response.status()}: ${await response.text()}`);
}
