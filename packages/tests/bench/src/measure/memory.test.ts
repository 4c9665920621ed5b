import { expect, test } from 'vitest';
import { parseStatus, watchMemory } from './memory.ts';

test('the resident, private and shared memory of a process is read from its status file', () => {
  const status =
    'Name:\tpostgres\nVmHWM:\t  900 kB\nVmRSS:\t  700 kB\nRssAnon:\t  100 kB\nRssFile:\t   50 kB\nRssShmem:\t  550 kB\n';
  expect(parseStatus(status)).toEqual({ rss: 716_800, anon: 102_400, shared: 563_200 });
});

test('a process that has ended, or a kernel thread, has no memory figures', () => {
  expect(parseStatus('')).toBeUndefined();
  expect(parseStatus('Name:\tkthreadd\nThreads:\t1\n')).toBeUndefined();
});

test('the memory of this process is measured', () => {
  const watch = watchMemory(() => process.pid);
  watch.stop();
  const [largest] = watch.report().processes;
  expect(largest?.peak).toBeGreaterThan(20_000_000);
  expect(largest?.peakAnon).toBeLessThanOrEqual(largest?.peak ?? 0);
});
