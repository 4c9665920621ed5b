import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import type { Api } from '../../api.ts';
import { openStreamReader } from '../../load/stream-reader.ts';

export const CONSOLES = 50;
/** How many of them show the page of all hosts, which asks for changes every five seconds; events keep the others current. */
export const ON_HOSTS = 10;
const POLL_MS = 5_000;
const WATCHED_MS = 30_000;
const REST_WINDOW_MS = 10_000;
const MAX_REST_WINDOWS = 18;
/** The product is at rest once a window costs at most this share of a processor, and hardly less than the one before. */
const MAX_REST = 0.1;
const REST_STEP = 0.005;

export interface OpenConsoles {
  /** Shares of one processor: of the product without consoles, and with them. */
  without: number;
  with: number;
}

/** What open consoles cost the server while nobody touches them and no host reports: their streams, and reads of changes. */
export async function measureOpenConsoles(product: Product, api: Api): Promise<OpenConsoles> {
  await untilAtRest(product);
  const before = await shareOf(product, WATCHED_MS);
  const streams = await Promise.all(
    Array.from({ length: CONSOLES }, () =>
      openStreamReader({ url: `${product.url}/api/v1/events`, key: product.key, onEvent: () => undefined }),
    ),
  );
  const stopped = new AbortController();
  const polls = Array.from({ length: ON_HOSTS }, (_, index) =>
    poll(api, (index * POLL_MS) / ON_HOSTS, stopped.signal),
  );
  // The first reads answer all hosts.
  await sleep(2 * POLL_MS);
  const share = await shareOf(product, WATCHED_MS);
  stopped.abort();
  await Promise.all(polls);
  for (const stream of streams) stream.close();
  // The mean of both sides cancels work that grows or fades steadily meanwhile.
  const after = await shareOf(product, WATCHED_MS);
  return { without: (before + after) / 2, with: share };
}

async function poll(api: Api, delayMs: number, stopped: AbortSignal): Promise<void> {
  await sleep(delayMs);
  let since = '';
  while (!stopped.aborted) {
    const { token } = await api.get<{ token: string }>(`/services/snapshot${since}`);
    since = `?since=${token}`;
    await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
}

/** Waits until the product no longer works on what was sent before; rejects if it does not come to rest. */
async function untilAtRest(product: Product): Promise<void> {
  let last = Number.POSITIVE_INFINITY;
  for (let window = 0; window < MAX_REST_WINDOWS; window += 1) {
    const share = await shareOf(product, REST_WINDOW_MS);
    if (share <= MAX_REST && last - share <= REST_STEP) return;
    last = share;
  }
  throw new Error(
    `the product did not come to rest: its last window took ${(100 * last).toFixed(1)} % of a processor`,
  );
}

async function shareOf(product: Product, watchedMs: number): Promise<number> {
  const [before, began] = [cpuSeconds(product.pid()), performance.now()];
  await sleep(watchedMs);
  return (cpuSeconds(product.pid()) - before) / ((performance.now() - began) / 1_000);
}
