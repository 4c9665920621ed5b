import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const HELD_UP_MS = 60;

it('measures how long the event loop was blocked', async () => {
  const metrics = createMetrics();
  await sleep(1);
  const until = performance.now() + HELD_UP_MS;
  while (performance.now() < until);
  await sleep(1);
  const text = await metrics.text(['tidewatch_event_loop_delay_seconds']);
  const longest = /^tidewatch_event_loop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1];
  expect(Number(longest)).toBeGreaterThanOrEqual(HELD_UP_MS / 1_000);
  metrics.close();
});

it("exposes Node's default metrics, with one metric of the event loop", async () => {
  const metrics = createMetrics();
  const text = await metrics.text();
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).toContain('nodejs_heap_size_used_bytes');
  expect(text.match(/^# TYPE \S*event_?loop\S*/gm)).toEqual(['# TYPE tidewatch_event_loop_delay_seconds']);
  metrics.close();
});
