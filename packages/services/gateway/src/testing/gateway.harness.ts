import { openInProcessBus } from '@tidewatch/bus/in-process';
import { HEALTH_ROUTES } from '@tidewatch/contracts/document/operation-routes';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import type { SampleBatch, SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { newId } from '@tidewatch/contracts/values/id';
import { createAuthentication, keyDigest } from '@tidewatch/runtime/auth/authentication';
import { type Admission, createAdmission } from '@tidewatch/runtime/http/admission';
import { createApp } from '@tidewatch/runtime/http/app';
import { createHealthRoutes } from '@tidewatch/runtime/http/health-routes';
import { listen } from '@tidewatch/runtime/http/http-server';
import { openSampleBuckets } from '@tidewatch/runtime/limits/sample-buckets';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Receipt } from '@tidewatch/store/receipts/receipts';
import { DEFAULT_HOST_LABELS } from '../agent-protocols/translation/host-identity.ts';
import type { gatewaySettings } from '../config.ts';
import { createGateway } from '../gateway.ts';

export const TEST_KEY = `tw_test_${'a'.repeat(64)}`;
export const NDJSON = { 'Content-Type': 'application/x-ndjson' };

export type Body = string | Uint8Array<ArrayBuffer> | object;

export interface Answered {
  status: number;
  headers: Headers;
  answer: Record<string, unknown> & { errors: { path: string; code: string }[] };
}

/** A gateway behind a real HTTP server, over the in-process bus. Published batches are kept in memory. */
export interface TestGateway {
  url: string;
  port: number;
  /** The port of OTLP over gRPC; 0 if there is none. */
  grpcPort: number;
  admission: Admission;
  /** The batches that were committed. */
  stored: SampleBatch[];
  /** The receipts that were kept. */
  receipts: Receipt[];
  /** Makes transactions fail with the error, or succeed again for null. */
  fail(error: Error | null): void;
  /** Makes saving receipts fail with the error, or succeed again for null. */
  failReceipts(error: Error | null): void;
  /** The hosts that the gateway recorded last for each key, by the key's id. */
  reported: ReadonlyMap<string, readonly string[]>;
  ingest(body: Body, headers?: Record<string, string>): Promise<Answered>;
  close(): Promise<void>;
}

const KEYS = new Map<string, Partial<KeyRecord>>(
  (
    [
      [TEST_KEY, {}],
      ['an-admin-key', { id: 'key_admin', scopes: ['admin'] }],
      ['a-reading-key', { scopes: ['read', 'write'] }],
      ['an-expired-key', { expiresAt: 1 }],
      ['a-revoked-key', { revokedAt: 1 }],
      ['a-key-of-web-hosts', { id: 'key_web', hosts: ['web-*', 'cache'] }],
      ['a-key-of-org-2', { id: 'key_2', organizationId: 'org_2' }],
      ['a-key-of-org-3', { id: 'key_3', organizationId: 'org_3' }],
      ['a-key-of-org-4', { id: 'key_4', organizationId: 'org_4' }],
      ['a-limited-key', { id: 'key_limited', rateLimitPerMinute: 2 }],
    ] as const
  ).map(([text, changes]) => [keyDigest(text), changes]),
);

async function findTestKey(sha256: string): Promise<KeyRecord | null> {
  const changes = KEYS.get(sha256);
  return changes === undefined ? null : keyRecordOf({ id: 'key_test', scopes: ['ingest'], ...changes });
}

function grpcListening(port: number | undefined, tls: { cert: string; key: string } | undefined) {
  if (port === undefined) return undefined;
  return { host: '127.0.0.1', port, tls, connectionsPerAddress: 8, trusts: () => false };
}

export async function openTestGateway(
  settings: Partial<ConfigOf<typeof gatewaySettings>> = {},
  tls?: { cert: string; key: string },
): Promise<TestGateway> {
  const logger = createSilentLogger();
  const metrics = createMetrics();
  const admission = createAdmission();
  const stored: SampleBatch[] = [];
  let failure: Error | null = null;
  const bus = openInProcessBus<null>({
    transact: (work) => work(null),
    identify: async () => '88123',
    clock: Date.now,
    synchronousTopics: [TOPICS.samples],
    limits: { patienceMs: 100 },
  });
  bus.subscribe<SampleRecord>(TOPICS.samples, {
    name: 'recorder',
    async handle(batch) {
      if (failure !== null) throw failure;
      for (const { value } of batch) if (value.kind === 'samples') stored.push(value);
      return batch.map(() => ({ kind: 'done' }));
    },
  });
  await bus.start();
  const keys = { find: findTestKey, revision: async () => 0 };
  const authentication = createAuthentication({ keys, clock: Date.now, logger });
  const config = {
    rateLimitPerMinute: 60_000,
    samplesPerMinute: undefined,
    seriesLimit: 1_000,
    hostPartsLimit: 256,
    hostPartSeriesLimit: 2_000,
    foreignHostLabels: [...DEFAULT_HOST_LABELS],
    foreignApplications: 'on' as const,
    foreignCounters: 'rates' as const,
    foreignSeries: 100_000,
    foreignTimeStepMs: 1_000,
    otlpGrpcPort: undefined,
    ...settings,
  };
  const receipts: Receipt[] = [];
  let receiptFailure: Error | null = null;
  const reported = new Map<string, string[]>();
  const uses = {
    noteHosts: (key: KeyRecord, payloads: readonly { host: string }[]) =>
      void reported.set(
        key.id,
        payloads.map(({ host }) => host),
      ),
  };
  const gateway = createGateway({
    bus,
    authentication,
    admission,
    clock: Date.now,
    newId,
    config,
    samples: openSampleBuckets(config.samplesPerMinute, undefined),
    metrics,
    logger,
    uses,
    grpc: grpcListening(config.otlpGrpcPort, tls),
    async saveReceipt(receipt) {
      if (receiptFailure !== null) throw receiptFailure;
      receipts.push(receipt);
    },
  });
  gateway.start();
  await gateway.grpc?.start();
  const health = createHealthRoutes(metrics, () => ({ status: 'ready', reasons: [] }));
  const app = createApp({
    first: gateway.first,
    routers: [health, gateway.router],
    endpoints: [...HEALTH_ROUTES, ...INGEST_ROUTES],
    logger,
    metrics,
  });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    port: server.port,
    grpcPort: gateway.grpc?.port() ?? 0,
    admission,
    stored,
    receipts,
    reported,
    fail(error) {
      failure = error;
    },
    failReceipts(error) {
      receiptFailure = error;
    },
    async ingest(body, headers = {}) {
      const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
      const response = await fetch(`${server.url}/api/v1/ingest`, {
        method: 'POST',
        body: raw,
        headers: { 'Content-Type': 'application/json', 'X-API-Key': TEST_KEY, ...headers },
      });
      const answer = (await response.json()) as Answered['answer'];
      return { status: response.status, headers: response.headers, answer };
    },
    async close() {
      await server.close(100);
      await gateway.grpc?.stop();
      await gateway.stop();
      await bus.close();
      metrics.close();
    },
  };
}

/** Returns a payload with one metric. */
export function sample(host = 'web-01', more: object = {}): object {
  return { host, metrics: { cpu_percent: 1 }, ...more };
}
