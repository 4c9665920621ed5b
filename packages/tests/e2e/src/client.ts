import { randomBytes } from 'node:crypto';
import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { entries } from '@tidewatch/api-client/pages';
import type { Schema } from '@tidewatch/api-client/schema';
import { expect } from 'vitest';
import type { Target } from './target.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: scenarios read members of answers whose schemas are tested elsewhere
  body: any;
}

/**
 * A thin client with one key and one address, which returns responses of any status, so that tests can send invalid
 * requests.
 */
export interface Client {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a request, expects the status and returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  expect(status: number, method: string, path: string, body?: unknown): Promise<any>;
  /** The typed client, for requests that are sent as the document describes them. */
  api: TidewatchClient;
  /** Sends bytes or a text to ingest unchanged. */
  ingest(body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/**
 * Creates a client. Paths are relative to /api/v1. A text or bytes are sent unchanged as the body, everything else as JSON.
 */
export function createClient(target: Pick<Target, 'url' | 'key'>): Client {
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${target.url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': target.key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: json && text !== '' ? JSON.parse(text) : text,
    };
  }
  return {
    ask,
    async expect(status, method, path, body) {
      const answer = await ask(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status);
      return answer.body;
    },
    // Created at its first use, because a target that cannot be started has no address.
    get api() {
      return createTidewatchClient(target);
    },
    ingest: (body, headers) => ask('POST', '/ingest', body, headers),
  };
}

/** A client with the key of a new organization, which has no rules of other scenarios. */
export async function inOwnOrganization({
  url,
  key,
}: Pick<Target, 'url' | 'key'>): Promise<Pick<Target, 'url' | 'key'>> {
  const body = { name: uniqueName('e2e') };
  const made = await createClient({ url, key }).expect(201, 'POST', '/organizations', body);
  return { url, key: made.key.secret };
}

/** Creates a rule that fires at the first sample above 90, unless `fields` say otherwise; returns it. */
export function createRule(client: Client, fields: { metric: string; [field: string]: unknown }) {
  const terms = { name: uniqueName('rule'), condition: 'greater_than', threshold: 90, duration_minutes: 0 };
  return client.expect(201, 'POST', '/alerts/rules', { ...terms, ...fields });
}

/** Creates a webhook channel for an address, with further members of its configuration; returns it. */
export function createWebhook(client: Client, url: string, more: object = {}) {
  const body = { kind: 'webhook', name: uniqueName('hook'), config: { url, ...more } };
  return client.expect(201, 'POST', '/channels', body);
}

/** A name that no other run uses, since a target may be shared and is never emptied. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** Returns the time `fromNow` seconds from now, as RFC 3339 text. */
export function seconds(fromNow: number): string {
  return new Date(Date.now() + fromNow * 1000).toISOString();
}

/** The timeout until an accepted payload is visible, which takes some time in the distributed topology. */
export const SEEN = { timeout: 15_000, interval: 50 };

/** The service of a host, as soon as it exists; fails if there are several. */
export async function serviceOf(client: Client, host: string): Promise<Schema<'Service'>> {
  const found: Schema<'Service'>[] = [];
  const find = async () => {
    found.length = 0;
    for await (const each of entries(client.api, '/api/v1/services', 'services', { q: host }))
      found.push(each);
    return found;
  };
  await expect.poll(find, SEEN).toHaveLength(1);
  return found[0] as Schema<'Service'>;
}
