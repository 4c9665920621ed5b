import { describe, expect, test } from 'vitest';
import { containerCpuPercent, memoryUsage, mostRelevant, toContainer } from './usage.ts';

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

describe('of more containers than are reported', () => {
  const container = (name: string, State: string) => ({ Id: name, Names: [`/${name}`], State });
  const listed = [container('a', 'exited'), container('b', 'running'), container('c', 'paused')];

  test('those that run come first', () => {
    expect(mostRelevant(listed, 2).map(({ Id }) => Id)).toEqual(['b', 'c']);
  });
  test('all are reported as they come where there is room', () => {
    expect(mostRelevant(listed, 3).map(({ Id }) => Id)).toEqual(['a', 'b', 'c']);
  });
});

test.each([
  [['/hydra/sab', '/sab'], 'sab'],
  [['/sab', '/hydra/sab'], 'sab'],
  [['/only/link'], 'only/link'],
])('of the names %j a container is reported by %s', (Names, name) => {
  expect(toContainer({ Id: 'x', Names }, undefined, undefined).name).toBe(name);
});
