import { expect, test } from 'vitest';
import { containerCpuPercent, memoryUsage, toContainer } from './usage.ts';

test('percent of one core from the CPU clock', () => {
  expect(containerCpuPercent({ used: 1_000_000_000, at: 0 }, { used: 6_000_000_000, at: 10_000 })).toBe(50);
});
test.each([
  ['first reading', undefined, { used: 1, at: 1 }],
  ['restarted', { used: 9, at: 0 }, { used: 1, at: 1 }],
  ['no time passed', { used: 1, at: 1 }, { used: 2, at: 1 }],
])('no percentage: %s', (_, before, after) => expect(containerCpuPercent(before, after)).toBeUndefined());

test('memory without cache that can be given back, for both control group versions', () => {
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { inactive_file: 30 } } })).toBe(70);
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { total_inactive_file: 40 } } })).toBe(60);
  const both = { inactive_file: 5, total_inactive_file: 40 };
  expect(memoryUsage({ memory_stats: { usage: 100, stats: both } })).toBe(60);
  expect(memoryUsage({ memory_stats: {} })).toBeUndefined();
});

test('a container as ingest takes it', () => {
  const listed = { Id: 'abcdef0123456789', Names: ['/api'], Image: 'shop/api:1.4.2', State: 'running' };
  expect(toContainer(listed, { memory_stats: { usage: 5 } }, 12.5)).toEqual({
    name: 'api',
    image: 'shop/api:1.4.2',
    status: 'running',
    cpu_percent: 12.5,
    memory_usage: 5,
  });
  expect(toContainer({ Id: 'abcdef0123456789' }, undefined, undefined)).toEqual({ name: 'abcdef012345' });
});
