import { expect, it } from 'vitest';
import { unitOf } from './unit.ts';

it.each([
  ['cpu_percent', 'percent'],
  ['swap_used_bytes', 'bytes'],
  ['memory_usage', 'bytes'],
  ['memory_rss', 'bytes'],
  ['container.memory_usage', 'bytes'],
  ['uptime_seconds', 'seconds'],
  ['latency_ms', 'milliseconds'],
  ['network_received_bytes_per_second', 'per second'],
  ['requests_total', 'count'],
  ['process_count', 'count'],
  ['load_1', null],
  ['percent', null],
  ['__proto__', null],
  ['', null],
])('the unit of %s is %s', (metric, unit) => {
  expect(unitOf(metric)).toBe(unit);
});
