import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, vi } from 'vitest';
import { type Client, SEEN, uniqueName } from '../client.ts';
import { CALM_MINUTES, payloadsOf } from './trouble.ts';

const PEERS = 3;
/** The timeout for the end of an investigation; several may wait in the queue of a busy machine. */
const ENDED = { timeout: 60_000, interval: 200 };

export interface Incident {
  host: string;
  metric: string;
  alert: { id: string; service_id: string };
  /** Returns the time `minutes` after the start of the incident, as RFC 3339 text. */
  at(minutes: number): string;
}

/**
 * Sends samples so that a rule of its own fires on a host: with `trouble`, two hours of a host and its calm peers, and
 * finally a process that uses up the processor; with `of`, another breach on the same host. A new host is called `host`.
 */
export async function enact(
  client: Client,
  {
    of,
    host = of?.host ?? uniqueName('victim'),
  }: ({ trouble: true; of?: never } | { of: Incident }) & { host?: string },
): Promise<Incident> {
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * MINUTE_MS).toISOString();
  const metric = of === undefined ? 'cpu_percent' : uniqueName('other').replaceAll('-', '_');
  const group = uniqueName('group');
  const late: object[] = [];
  if (of === undefined)
    for (const name of [...Array.from({ length: PEERS }, () => uniqueName('peer')), host]) {
      const runaway = name === host ? 'runaway-job' : undefined;
      const payloads = payloadsOf(name, { now, tags: { group, role: 'web' }, runaway });
      await client.expect(200, 'POST', '/ingest', payloads.slice(0, CALM_MINUTES));
      late.push(...payloads.slice(CALM_MINUTES));
    }
  else late.push({ host, metrics: { [metric]: 99 } });
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    name: uniqueName('rule'),
    metric,
    condition: 'greater_than',
    threshold: 90,
    severity: 'critical',
    duration_minutes: of === undefined ? 5 : 0,
    scope: { hosts: [host] },
  });
  // Waits until every evaluator applies the rule, within two seconds of its creation, because earlier samples are not
  // evaluated by it.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await client.expect(200, 'POST', '/ingest', late);
  const firing = async () => (await client.expect(200, 'GET', `/alerts?rule_id=${rule.id}`)).alerts;
  const [alert] = await vi.waitFor(async () => {
    const alerts = await firing();
    expect(alerts).toHaveLength(1);
    return alerts;
  }, SEEN);
  return { host, metric, alert, at };
}

/** The id of the investigation of an alert, which exists shortly after the alert fired. */
export async function investigationOf(client: Client, alertId: string): Promise<string> {
  const id = async () => (await client.expect(200, 'GET', `/alerts/${alertId}`)).investigation_id;
  await expect.poll(id, { timeout: 10_000, interval: 100 }).toMatch(/^inv_/);
  return id();
}

/** Reads an investigation in full, once it has ended. */
// biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
export async function endedInvestigation(client: Client, id: string): Promise<any> {
  const whole = () => client.expect(200, 'GET', `/investigations/${id}`);
  await expect.poll(async () => (await whole()).status, ENDED).not.toMatch(/queued|running/);
  return whole();
}
