import { expect, it } from 'vitest';
import { processRows } from './process-rows.ts';

it('adds up processes of one name, and compares them with an hour before', () => {
  const now = [
    { name: 'node', pid: 12, cpu_percent: 3, memory_rss: 100 },
    { name: 'reindex', pid: 30, cpu_percent: 88, memory_rss: 900 },
    { name: 'node', pid: 9, cpu_percent: 4 },
    { name: 'idle', pid: 1 },
  ];
  const former = [
    { name: 'node', pid: 5, cpu_percent: 5, memory_rss: 80 },
    { name: 'gone', pid: 6, cpu_percent: 1 },
  ];
  expect(processRows(now, former)).toEqual([
    {
      name: 'reindex',
      pids: [30],
      cpuPercent: 88,
      memoryBytes: 900,
      formerCpuPercent: null,
      formerMemoryBytes: null,
    },
    {
      name: 'node',
      pids: [9, 12],
      cpuPercent: 7,
      memoryBytes: 100,
      formerCpuPercent: 5,
      formerMemoryBytes: 80,
    },
    {
      name: 'idle',
      pids: [1],
      cpuPercent: null,
      memoryBytes: null,
      formerCpuPercent: null,
      formerMemoryBytes: null,
    },
  ]);
});
