import { expect } from 'vitest';
import { type Client, SEEN, serviceOf } from '../client.ts';

/** What a host of another agent shows, as far as scenarios look at it. */
export interface HostDetail {
  metrics: Record<string, number>;
  tags: Record<string, string>;
  parts: { kind: string; name: string; metrics: Record<string, number> }[];
}

/** The metrics under our own names that every agent of a host has to give. */
const CANONICAL = [
  'cpu_percent',
  'memory_percent',
  'disk_percent',
  'disk_read_bytes_per_second',
  'network_receive_bytes_per_second',
  'load_1',
  'uptime_seconds',
];

/** Resolves to a host once it has the metrics of a native one; fails if a point of it was refused, or a tag appeared. */
export async function nativeHost(client: Client, host: string): Promise<HostDetail> {
  const detail = async () =>
    (await client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`)) as HostDetail;
  await expect
    .poll(async () => (await detail().catch(() => null))?.metrics, { ...SEEN, timeout: 60_000 })
    .toMatchObject(Object.fromEntries(CANONICAL.map((metric) => [metric, expect.any(Number)])));
  const found = await detail();
  expect(found.tags).toEqual({});
  const root = found.parts.find(({ kind, name }) => kind === 'filesystem' && name === '/');
  expect(root?.metrics).toMatchObject({ used_percent: expect.any(Number) });
  expect(found.parts.find(({ kind }) => kind === 'agent')?.metrics.rejected_points).toBe(0);
  return found;
}
