import { expect, test } from 'vitest';
import { createAgentCollector } from './agent-collector.ts';

test('the agent reports its version and load, what it could not send, and which collectors fail', async () => {
  let cpu = 1_000;
  const collector = createAgentCollector({
    version: '1.2.3',
    buffered: () => ({ payloads: 7, bytes: 900 }),
    counts: () => ({ dropped: 5, refused: 2 }),
    failing: () => ['smart', 'clock'],
    uptimeSeconds: () => 60,
    cpuMicroseconds: () => cpu,
    memoryBytes: () => 4_096,
  });
  const metrics = {
    uptime_seconds: 60,
    memory_rss_bytes: 4_096,
    buffered_payloads: 7,
    buffered_bytes: 900,
    dropped_payload_count: 5,
    refused_payload_count: 2,
    failing_collectors: 2,
  };
  expect((await collector.read(0)).parts).toMatchObject([
    { kind: 'agent', name: 'tidewatch', labels: { version: '1.2.3', failing: 'clock, smart' }, metrics },
  ]);
  cpu += 50_000;
  expect((await collector.read(10_000)).parts?.[0]?.metrics).toEqual({ ...metrics, cpu_percent: 0.5 });
});
