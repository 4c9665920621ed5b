import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import { type AgentSeries, jsonBody, jsonBody2, protobufBody } from './datadog-bodies.ts';

const target = await openForFile(openTarget());

interface Detail {
  metrics: Record<string, number>;
  tags: Record<string, string>;
  parts: { kind: string; name: string; metrics: Record<string, number> }[];
}

interface Point {
  avg: number | null;
  count: number;
}

/** What the checks of a host send in one run, at a time in seconds. */
function checksOf(host: string, time: number): AgentSeries[] {
  const gauge = (metric: string, value: number, device?: string): AgentSeries => ({
    metric,
    host,
    ...(device !== undefined && { device }),
    tags: [],
    type: 'gauge',
    points: [[time, value]],
  });
  return [
    gauge('system.cpu.idle', 90),
    gauge('system.cpu.iowait', 2),
    gauge('system.mem.pct_usable', 0.6),
    gauge('system.load.1', 0.75),
    gauge('system.uptime', 3_600),
    gauge('system.disk.in_use', 0.4, '/'),
    gauge('system.io.wkb_s', 8, 'sda'),
    { ...gauge('system.net.bytes_sent', 2_500, 'eth0'), type: 'rate' },
    { ...gauge('shop.orders', 30), type: 'count' },
  ];
}

test.each<[string, string, string, string, (series: readonly AgentSeries[]) => Uint8Array]>([
  [
    'JSON in deflate',
    '/api/v1/series',
    'application/json',
    'deflate',
    (series) => deflateSync(jsonBody(series)),
  ],
  [
    'JSON of version 2 in gzip',
    '/api/v2/series',
    'application/json',
    'gzip',
    (series) => gzipSync(jsonBody2(series)),
  ],
  [
    'protobuf in zstd',
    '/api/v2/series',
    'application/x-protobuf',
    'zstd',
    (series) => zstdCompressSync(protobufBody(series)),
  ],
])(
  "a host shows as with our agent by what Datadog's agent sends, once although it is sent twice: %s",
  async (_, path, type, encoding, bodyOf) => {
    const own = await inOwnOrganization(target);
    const client = createClient(own);
    const host = uniqueName('datadog');
    const ask = async (method: string, at: string, body?: Uint8Array, headers = {}) => {
      const response = await fetch(`${own.url}/datadog${at}`, {
        method,
        headers: { 'DD-API-KEY': own.key, ...headers },
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
      });
      return [response.status, await response.json()];
    };
    expect(await ask('GET', '/api/v1/validate')).toEqual([200, { valid: true }]);
    const about = { internalHostname: host, 'host-tags': { system: ['env:production', 'role:web'] } };
    const aboutBody = deflateSync(JSON.stringify(about));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'deflate' };
    expect(await ask('POST', '/intake/', aboutBody, headers)).toEqual([202, { errors: [] }]);

    const time = Math.floor(Date.now() / 1_000) - 30;
    for (const at of [time, time + 15, time]) {
      const body = bodyOf(checksOf(host, at));
      const sent = { 'Content-Type': type, 'Content-Encoding': encoding };
      expect(await ask('POST', path, body, sent)).toEqual([202, { errors: [] }]);
    }

    const detail = async () =>
      (await client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`)) as Detail;
    const metrics = {
      cpu_percent: 8,
      memory_percent: 40,
      disk_percent: 40,
      disk_fullest_percent: 40,
      load_1: 0.75,
      uptime_seconds: 3_600,
      disk_write_bytes_per_second: 8_192,
      network_transmit_bytes_per_second: 2_500,
      'shop.orders_per_second': 2,
    };
    await expect.poll(async () => (await detail()).metrics, SEEN).toMatchObject(metrics);
    const { tags, parts } = await detail();
    expect(tags).toEqual({ env: 'production', role: 'web' });
    expect(parts.map(({ kind, name }) => `${kind}:${name}`).toSorted()).toEqual([
      'agent:datadog',
      'disk:sda',
      'filesystem:/',
      'network:eth0',
    ]);
    const { id } = await serviceOf(client, host);
    const range = `from=${new Date((time - 5) * 1_000).toISOString()}&to=${new Date().toISOString()}&step=1`;
    const orders = async () => {
      const path = `/services/${id}/metrics?metrics=shop.orders_per_second&${range}`;
      const { series } = await client.expect(200, 'GET', path);
      return (series[0].points as Point[]).flatMap(({ avg, count }) => (count > 0 ? [[avg, count]] : []));
    };
    const once = [
      [2, 1],
      [2, 1],
    ];
    await expect.poll(orders, SEEN).toEqual(once);
  },
);
