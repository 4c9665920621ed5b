import type { BusHealth } from '@tidewatch/bus/bus';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import {
  type BackendService,
  SERVICE_NAMES,
  type ServiceName,
} from '@tidewatch/runtime/process/backend-service';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { expect, it } from 'vitest';
import { createHealth } from './health.ts';

const working: BackendService = { parts: [], missing: {}, degraded: {} };
const allWorking = Object.fromEntries(SERVICE_NAMES.map((name) => [name, working])) as Record<
  ServiceName,
  BackendService
>;
const failing = (reason: string) => ({ ...working, missing: { part: () => [reason] } });

/** The response of `/readyz` with these services instead of working ones. */
async function readiness(services: Partial<typeof allWorking>, bus: BusHealth = { ok: true, reasons: [] }) {
  const metrics = createMetrics();
  const { http } = createHealth({
    services: { ...allWorking, ...services },
    bus: { health: () => bus },
    database: { check: async () => [], serverVersion: '18.4', schemaVersion: 46 },
    metrics,
    logger: createSilentLogger(),
  });
  const { router, endpoints } = http;
  const app = createApp({ routers: [router], endpoints, logger: createSilentLogger(), metrics });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  try {
    const response = await fetch(`${server.url}/readyz`);
    return { code: response.status, ...((await response.json()) as { status: string; reasons: string[] }) };
  } finally {
    await server.close();
    metrics.close();
  }
}

it('the product is ready if every service works, and reports topology, versions and details of services', async () => {
  const answer = await readiness({ writer: { ...working, details: { edition: 'plain' } } });
  expect(answer).toEqual({
    code: 200,
    status: 'ready',
    reasons: [],
    topology: 'embedded',
    edition: 'plain',
    versions: { node: process.version, postgresql: '18.4', schema: 46 },
  });
});

it.each(['evaluator', 'writer', 'gateway', 'query-api'] as const)(
  'the product is unavailable while the %s does not work',
  async (name) => {
    const answer = await readiness({ [name]: failing('it stands still') });
    expect(answer).toMatchObject({ code: 503, status: 'unavailable', reasons: ['it stands still'] });
  },
);

it.each(['notifier', 'investigator'] as const)(
  'the product is degraded while the %s does not work, because payloads are stored and requests answered',
  async (name) => {
    const answer = await readiness({ [name]: failing('it stands still') });
    expect(answer).toMatchObject({ code: 200, status: 'degraded', reasons: ['it stands still'] });
  },
);

it('a readiness check that two services share runs once', async () => {
  let asked = 0;
  const sharing = {
    ...working,
    degraded: {
      keys() {
        asked += 1;
        return ['keys cannot be looked up'];
      },
    },
  };
  const answer = await readiness({ gateway: sharing, 'query-api': sharing });
  expect(answer.reasons).toEqual(['keys cannot be looked up']);
  expect(asked).toBe(1);
});

it.each([
  ['tidewatch.samples: the store refuses it', 'unavailable', 'payloads cannot be stored'],
  [
    'tidewatch.events: the store refuses it',
    'degraded',
    'events cannot be processed, so that no notifications are queued',
  ],
])('words the reason "%s" of the bus for people and is %s', async (reason, status, worded) => {
  const answer = await readiness({}, { ok: false, reasons: [reason] });
  expect(answer).toMatchObject({ status, reasons: [worded] });
});
