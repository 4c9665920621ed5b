import { expect, it } from 'vitest';
import { sumProcesses } from './process-sums.ts';

const web = (pid: number, use: object = {}) => ({ name: 'web', pid, ...use });

it('adds up the processes of one name, and keeps names in their order', () => {
  const processes = [
    web(7, { cpu_percent: 1.5 }),
    { name: 'db', pid: 2 },
    web(9, { cpu_percent: 2, memory_rss: 10 }),
  ];
  expect(sumProcesses(processes)).toEqual([
    { name: 'web', count: 2, cpuPercent: 3.5, memory: 10, processes: [processes[0], processes[2]] },
    { name: 'db', count: 1, cpuPercent: null, memory: null, processes: [processes[1]] },
  ]);
});

it('returns no sum for a field that no process of the name has, rather than 0', () => {
  expect(sumProcesses([web(1), web(2)])).toMatchObject([{ count: 2, cpuPercent: null, memory: null }]);
  expect(sumProcesses([])).toEqual([]);
});

it('limits what one process adds, so that sums stay finite', () => {
  const largest = { cpu_percent: Number.MAX_VALUE, memory_rss: 1 };
  expect(sumProcesses([web(1, largest), web(2, largest)])).toMatchObject([{ cpuPercent: 2e290, memory: 2 }]);
});
