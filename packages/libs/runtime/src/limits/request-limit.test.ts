import type { KeyRecord } from '@tidewatch/contracts/values/access';
import express from 'express';
import { MemoryStore, type Store } from 'express-rate-limit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAuthentication, keyDigest } from '../auth/authentication.ts';
import { createApp } from '../http/app.ts';
import { type HttpServer, listen } from '../http/http-server.ts';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { limitRequests, withLimit } from './request-limit.ts';

const KEYS: Record<string, number | null> = { default: null, generous: 5 };
const metrics = createMetrics();
const counts = new MemoryStore();
let failure: Error | null = null;
const store: Store = {
  init: (options) => counts.init(options),
  increment: (key) => (failure === null ? counts.increment(key) : Promise.reject(failure)),
  decrement: (key) => counts.decrement(key),
  resetKey: (key) => counts.resetKey(key),
};
let server: HttpServer;

beforeAll(async () => {
  const logger = createSilentLogger();
  const recordOf = ([name, rateLimitPerMinute]: [string, number | null]): [string, KeyRecord] => [
    keyDigest(name),
    {
      id: `key_${name}`,
      organizationId: 'org_1',
      name,
      scopes: ['read'],
      rateLimitPerMinute,
      hosts: null,
      expiresAt: null,
      revokedAt: null,
    },
  ];
  const records = new Map(Object.entries(KEYS).map(recordOf));
  const keys = { find: async (digest: string) => records.get(digest) ?? null, revision: async () => 0 };
  const { authenticate } = createAuthentication({ keys, clock: Date.now, logger });
  const limited = withLimit(authenticate, limitRequests({ policy: 'api', perMinute: 2, store }));
  const router = express.Router();
  router.get('/things', limited('read'), (_request, response) => {
    response.json([]);
  });
  const endpoints = [{ method: 'get', path: '/things' }] as const;
  server = await listen({
    app: createApp({ routers: [router], endpoints, logger, metrics }),
    host: '127.0.0.1',
    port: 0,
  });
});

beforeEach(async () => {
  failure = null;
  await counts.resetAll();
});

afterAll(async () => {
  await server.close();
  counts.shutdown();
  metrics.close();
});

async function ask(key: string) {
  const answer = await fetch(`${server.url}/things`, { headers: { 'X-API-Key': key } });
  const body = (await answer.json()) as { code?: string; detail?: string };
  const field = (name: string) => answer.headers.get(name)?.replace(/t=\d+$/, 't=');
  return {
    status: answer.status,
    code: body.code,
    left: field('RateLimit'),
    policy: field('RateLimit-Policy'),
    retryAfter: Number(field('Retry-After')),
  };
}

it('a key is refused once it has used its quota up, with the headers of the limit on every answer', async () => {
  const answers = [await ask('default'), await ask('default'), await ask('default')];
  expect(answers.map(({ status, left }) => [status, left])).toEqual([
    [200, '"api"; r=1; t='],
    [200, '"api"; r=0; t='],
    [429, '"api"; r=0; t='],
  ]);
  for (const { policy } of answers) expect(policy).toMatch(/^"api"; q=2; w=60; pk=:\w+=*:$/);
  expect(answers[2]).toMatchObject({ code: 'rate_limited' });
  expect(answers[2]?.retryAfter).toBeGreaterThan(0);
  expect(answers[2]?.retryAfter).toBeLessThanOrEqual(60);
});

it('a key with a limit of its own is counted apart from others and by that limit', async () => {
  for (let sent = 0; sent < 3; sent += 1) await ask('default');
  const answers = [await ask('generous'), await ask('generous'), await ask('generous')];
  expect(answers.map(({ status, left }) => [status, left])).toEqual([
    [200, '"api"; r=4; t='],
    [200, '"api"; r=3; t='],
    [200, '"api"; r=2; t='],
  ]);
  expect(answers[0]?.policy).toContain('q=5;');
});

it('a request that cannot be counted is answered 500 and not served', async () => {
  failure = new Error('the store of counts failed');
  expect(await ask('default')).toMatchObject({ status: 500, code: 'internal_error', left: undefined });
});
