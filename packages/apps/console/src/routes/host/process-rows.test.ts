import { expect, it } from 'vitest';
import { processRows } from './process-rows.ts';

it('adds up processes of one name, and compares them with an hour before', () => {
  const now = [
    { name: 'node', cpu_percent: 3, memory_rss: 100 },
    { name: 'reindex', cpu_percent: 88, memory_rss: 900 },
    { name: 'node', cpu_percent: 4 },
    { name: 'idle' },
  ];
  const former = [
    { name: 'node', cpu_percent: 5, memory_rss: 80 },
    { name: 'gone', cpu_percent: 1 },
  ];
  expect(processRows(now, former)).toEqual([
    {
      name: 'reindex',
      count: 1,
      cpuPercent: 88,
      memoryBytes: 900,
      formerCpuPercent: null,
      formerMemoryBytes: null,
    },
    { name: 'node', count: 2, cpuPercent: 7, memoryBytes: 100, formerCpuPercent: 5, formerMemoryBytes: 80 },
    {
      name: 'idle',
      count: 1,
      cpuPercent: null,
      memoryBytes: null,
      formerCpuPercent: null,
      formerMemoryBytes: null,
    },
  ]);
});
