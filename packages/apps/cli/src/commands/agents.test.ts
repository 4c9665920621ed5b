import { fakeService, json } from '@tidewatch/api-client/testing/fake-service';
import { expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

const pagination = { total: 3, limit: 50, offset: 0, has_more: false, next_offset: null, next_cursor: null };

it('tidewatch agents prints each agent with what it could not send, and asks for agents alone', async () => {
  const agent = {
    service_id: 'svc_1',
    host: 'web-01',
    kind: 'agent',
    name: 'tidewatch',
    labels: { version: '0.1.0', failing: 'smart, units' },
    metrics: {
      uptime_seconds: 3_725,
      memory_rss_bytes: 60 * 1_048_576,
      buffered_payloads: 4,
      dropped_payload_count: 2,
      refused_payload_count: 0,
    },
    time: '2026-11-28T09:00:00.000Z',
  };
  const other = { ...agent, host: 'web-02', labels: {}, metrics: { uptime_seconds: 5 } };
  const foreign = {
    ...agent,
    host: 'web-03',
    name: 'remote_write',
    labels: { protocol: 'remote_write', left_out: 'information 4, exporter 51' },
    metrics: { stored_series: 330, left_out_series: 55, rejected_points: 7 },
  };
  const service = await fakeService(json(200, { parts: [agent, other, foreign], pagination }));
  const { code, stdout } = await run(service, ['agents', '--tag', 'role=web']);
  expect(code).toBe(0);
  const [head = '', first = '', second = '', third = ''] = stdout
    .split('\n')
    .map((line) => line.trimEnd().replace(/ {2,}/g, ' | '));
  expect(head).toBe(
    'HOST | AGENT | VERSION | UP | MEMORY | WAITING | DROPPED | REFUSED | SERIES | REPORTED | FAILING | LEFT OUT',
  );
  expect(first).toMatch(
    /^web-01 \| tidewatch \| 0\.1\.0 \| 1h 2m \| 60 MiB \| 4 \| 2 \| 0 \| - \| .+ \| smart, units \| -$/,
  );
  expect(second).toMatch(/^web-02 \| tidewatch \| - \| 5s \| - \| - \| - \| - \| - \| .+ \| - \| -$/);
  expect(third).toMatch(
    /^web-03 \| remote_write \| - \| - \| - \| - \| - \| 7 \| 330 \| .+ \| - \| information 4, exporter 51$/,
  );
  const { searchParams } = new URL(service.asked[0]?.path ?? '', 'http://localhost');
  expect(Object.fromEntries(searchParams)).toEqual({ kind: 'agent', tag: 'role:web' });
});
