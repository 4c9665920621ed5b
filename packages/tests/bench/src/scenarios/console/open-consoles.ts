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

export interface OpenConsoles {
  /** Shares of one processor: of the product without consoles, and with them. */
  without: number;
  with: number;
}

/** What open consoles cost the server while nobody touches them and no host reports: their streams, and reads of changes. */
export async function measureOpenConsoles(product: Product, api: Api): Promise<OpenConsoles> {
  const without = await shareOf(product);
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
  const share = await shareOf(product);
  stopped.abort();
  await Promise.all(polls);
  for (const stream of streams) stream.close();
  return { without, with: share };
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

async function shareOf(product: Product): Promise<number> {
  const [before, began] = [cpuSeconds(product.pid()), performance.now()];
  await sleep(WATCHED_MS);
  return (cpuSeconds(product.pid()) - before) / ((performance.now() - began) / 1_000);
}
