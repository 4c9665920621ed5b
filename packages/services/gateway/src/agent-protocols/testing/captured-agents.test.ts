import { readFileSync } from 'node:fs';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY, type TestGateway } from '../../testing/gateway.harness.ts';
import { CAPTURED_AGENTS, type CapturedAgent, readCapture, readExpected } from './captures.fixture.ts';

/** One for each agent, since all captures are of one host, of which the best of several agents would count. */
const gateways = new Map(
  await Promise.all(
    CAPTURED_AGENTS.map(async (agent) => {
      const opening = openTestGateway({ seriesLimit: 100_000 });
      return [agent, await openForFile(opening)] as const;
    }),
  ),
);

/** What agents do not send, by their settings or at all. */
const LACKING: Partial<Record<CapturedAgent, readonly string[]>> = {
  'otel-collector': ['swap_percent'],
  'otel-js': ['swap_percent', 'load_', 'uptime_seconds', 'disk_'],
  'otel-python': ['swap_percent', 'load_', 'uptime_seconds', 'disk_percent', 'disk_fullest_percent'],
};
/** How much values may differ from those of our agent, in percent points or as a share. */
const POINTS = 2;
const SHARE = 0.1;
/** Disks were busy by fits and starts, so that rates over other seconds are others. */
const IN_BURSTS = /^disk_(?:read|write)_bytes_per_second$/;
/** collectd counts shared memory as cache and does not say what is available, so that its memory is an estimate. */
const ESTIMATED: Partial<Record<CapturedAgent, Record<string, number>>> = { collectd: { memory_percent: 5 } };

interface Sent {
  statuses: number[];
  metrics: Record<string, number>;
  parts: Record<string, Record<string, number>>;
  tags: Record<string, string>;
}

/** Sends the captured requests as they were sent; returns what is stored in the end. */
async function send(agent: CapturedAgent): Promise<Sent> {
  const gateway = gateways.get(agent) as TestGateway;
  const statuses: number[] = [];
  for (const index of [1, 2] as const) {
    const { method, path, headers } = readCapture(agent, index);
    const body = readFileSync(new URL(`captures/${agent}/${index}.bin`, import.meta.url));
    const url = gateway.url + (agent === 'collectd' ? '/collectd' : path);
    const response = await fetch(url, {
      method,
      headers: { ...headers, 'X-API-Key': TEST_KEY },
      body: new Uint8Array(body),
    });
    await response.text();
    statuses.push(response.status);
  }
  const sent: Sent = { statuses, metrics: {}, parts: {}, tags: {} };
  for (const { metrics, values, parts, tags } of gateway.stored.flatMap(({ payloads }) => payloads)) {
    for (const [at, metric] of metrics.entries()) sent.metrics[metric] = values[at] as number;
    for (const [index, end] of (parts?.shape.ends ?? []).entries()) {
      const name = `${parts?.shape.kinds[index]}:${parts?.shape.names[index]}`;
      sent.parts[name] ??= {};
      const part = sent.parts[name];
      for (let at = parts?.shape.ends[index - 1] ?? 0; at < end; at += 1)
        part[parts?.shape.metrics[at] as string] = parts?.values[at] as number;
    }
    Object.assign(sent.tags, tags);
  }
  return sent;
}

describe.each(CAPTURED_AGENTS)('captured requests of %s', (agent) => {
  let sent: Sent;
  beforeAll(async () => {
    sent = await send(agent);
  });

  it('are answered with success', () => {
    for (const status of sent.statuses) expect([200, 204]).toContain(status);
    expect(sent.statuses).toHaveLength(2);
  });

  it('give the metrics of our agent with its values', () => {
    const differing = Object.entries(readExpected(agent)).flatMap(([metric, expected]) => {
      if (LACKING[agent]?.some((name) => metric.startsWith(name))) return [];
      const value = sent.metrics[metric];
      const allowed = ESTIMATED[agent]?.[metric] ?? Math.max(POINTS, SHARE * Math.abs(expected));
      const isNear = value !== undefined && (IN_BURSTS.test(metric) || Math.abs(value - expected) <= allowed);
      return isNear ? [] : [{ metric, expected, value }];
    });
    expect(differing).toEqual([]);
  });

  it('have places as parts, and no label of the agent as a tag of the host', () => {
    expect(sent.tags).toEqual({});
    expect(Object.keys(sent.parts)).toContain('network:eth0');
    const [, report] = Object.entries(sent.parts).find(([name]) => name.startsWith('agent:')) ?? [];
    expect(report?.rejected_points).toBe(0);
    expect(report?.stored_series).toBeGreaterThan(30);
  });
});
