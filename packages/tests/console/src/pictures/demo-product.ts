import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@tidewatch/harness/product';
import { DEPLOYED_MINUTES_AGO, demoFleet, payloadOf } from './demo-fleet.ts';

const MINUTE_MS = 60_000;
/** Hosts report every 30 s. */
const STEP_MS = 30_000;
const HISTORY_MS = 14 * 60 * MINUTE_MS;
const MAX_BATCH = 500;
const WITHIN_MS = 180_000;

/** A product with fourteen hours of the demo fleet, and what pictures are taken of. */
export interface Demo {
  /** The key of a person. */
  key: string;
  alertId: string;
  hostId: string;
  investigationId: string;
  /** Sends what the hosts have reported since the last call. */
  report(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are whatever the path answers
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

/** Sends everything through ingest, in the order of time, and waits until the incident was investigated. Alerts notify `webhook`. */
export async function fillDemo(product: Product, webhook: string): Promise<Demo> {
  const asAdmin = caller(product.url, product.key);
  const { secret: key } = await asAdmin('POST', '/keys', {
    name: 'Anna',
    scopes: ['read', 'write', 'admin', 'ingest'],
  });
  const call = caller(product.url, key);
  await call('POST', '/channels', { kind: 'webhook', name: 'On call', config: { url: webhook } });
  await makeRules(call);
  // An evaluator knows of a rule after a moment.
  await sleep(3_000);
  const hosts = demoFleet();
  const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  await call('POST', '/markers', {
    title: 'api 2.14.0 deployed to four hosts',
    at: new Date(now - DEPLOYED_MINUTES_AGO * MINUTE_MS).toISOString(),
    selector: { tags: { role: 'api' } },
    tags: { version: '2.14.0' },
  });
  let reportedUntil = now - HISTORY_MS;
  const report = async () => {
    let batch: object[] = [];
    for (; reportedUntil + STEP_MS <= Date.now(); reportedUntil += STEP_MS)
      for (const host of hosts) {
        batch.push(payloadOf(host, reportedUntil + STEP_MS, now));
        if (batch.length < MAX_BATCH) continue;
        await call('POST', '/ingest', batch);
        batch = [];
      }
    if (batch.length > 0) await call('POST', '/ingest', batch);
  };
  await report();
  const alert = await found(async () => (await call('GET', '/alerts?host=db-02')).alerts[0]);
  const investigated = await found(async () => {
    const { investigation_id: id } = await call('GET', `/alerts/${alert.id}`);
    const investigation = id === null ? null : await call('GET', `/investigations/${id}`);
    return investigation?.status === 'completed' ? investigation : undefined;
  });
  const slow = await found(async () => (await call('GET', '/alerts?host=api-02')).alerts[0]);
  await call('POST', `/alerts/${slow.id}/acknowledge`, { comment: 'rolling back 2.14.0' });
  return { key, alertId: alert.id, hostId: alert.service_id, investigationId: investigated.id, report };
}

async function makeRules(call: Call): Promise<void> {
  const rule = (name: string, metric: string, threshold: number, more: object) =>
    call('POST', '/alerts/rules', {
      name,
      metric,
      threshold,
      condition: 'greater_than',
      duration_minutes: 2,
      severity: 'warning',
      channels: ['default'],
      ...more,
    });
  await rule('Database CPU', 'cpu_percent', 80, { severity: 'critical', scope: { tags: { role: 'db' } } });
  await rule('API is slow', 'latency_p95_ms', 500, { scope: { tags: { role: 'api' } } });
  await rule('Disk is nearly full', 'disk_percent', 85, {});
  await rule('Memory is nearly full', 'memory_percent', 90, {});
}

function caller(url: string, key: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline; await sleep(500)) {
    const value = await look();
    if (value !== undefined) return value;
  }
  throw new Error('timeout: the alerts of the demo did not appear');
}
