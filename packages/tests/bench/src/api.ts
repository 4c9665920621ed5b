import { setTimeout as sleep } from 'node:timers/promises';

/** The few calls of the HTTP API that a benchmark needs; each throws unless the response has the expected status. */
export interface Api {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown, status?: number): Promise<T>;
}

export function createApi(url: string, key: string): Api {
  async function ask<T>(method: string, path: string, status: number, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status)
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }
  return {
    get: (path) => ask('GET', path, 200),
    post: (path, body, status = 201) => ask('POST', path, status, body),
  };
}

/** Creates a rule that breaches above the threshold, without a duration unless `more` sets one; returns its id. */
export async function createRule(
  api: Api,
  metric: string,
  threshold: number,
  more: object = {},
): Promise<string> {
  const rule = { name: metric, metric, condition: 'greater_than', threshold, duration_minutes: 0, ...more };
  return (await api.post<{ id: string }>('/alerts/rules', rule)).id;
}

/** Creates a webhook channel for this address; returns its id. */
export async function createWebhook(api: Api, name: string, url: string): Promise<string> {
  return (await api.post<{ id: string }>('/channels', { kind: 'webhook', name, config: { url } })).id;
}

/** Sends payloads one request after the other. */
export async function ingestAll(api: Api, payloads: readonly object[], perRequest = 1_000): Promise<void> {
  for (let start = 0; start < payloads.length; start += perRequest)
    await api.post('/ingest', payloads.slice(start, start + perRequest), 200);
}

/** Every row of a list, page by page. */
export async function listAll<T>(api: Api, path: string, noun: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: Record<string, unknown> = await api.get(`${path}${query}`);
    rows.push(...(page[noun] as T[]));
    cursor = (page.pagination as { next_cursor: string | null }).next_cursor;
    if (cursor === null) return rows;
  }
}

/** Polls until the condition holds; throws `complaint` if it does not within `withinMs`. */
export async function untilTrue(
  holds: () => Promise<boolean>,
  withinMs: number,
  pauseMs: number,
  complaint: string,
): Promise<void> {
  const found = await until(async () => (await holds()) || undefined, withinMs, pauseMs);
  if (found === undefined) throw new Error(`timeout: ${complaint}`);
}

/** Polls until `found` returns a value, at most for `withinMs`; returns that value, or undefined. */
export async function until<T>(
  found: () => Promise<T | undefined>,
  withinMs: number,
  pauseMs = 5,
): Promise<T | undefined> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(pauseMs)) {
    const value = await found();
    if (value !== undefined) return value;
  }
  return undefined;
}
