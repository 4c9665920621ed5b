import { describe, expect, test } from 'vitest';
import {
  countByName,
  fullName,
  type ProcessTimes,
  parseAuxiliaryVector,
  parseProcess,
  topProcesses,
} from './proc-process.ts';

const line = (name: string) =>
  `4711 (${name}) S 1 4711 4711 0 -1 4194560 1093 0 12 0 250 50 7 3 20 0 11 0 98765 1234567168 2560 18446744073709551615 1 1 0`;
const units = { ticksPerSecond: 100, pageBytes: 4096 };
const process = (pid: number, ticks: number, pages: number, startedAt = 1): ProcessTimes => ({
  pid,
  name: `p${pid}`,
  ticks,
  startedAt,
  pages,
  isZombie: false,
  isKernelThread: false,
});

describe('/proc/[pid]/stat', () => {
  test('has the times of the process without those of its children', () => {
    expect(parseProcess(line('postgres'))).toEqual({
      pid: 4711,
      name: 'postgres',
      ticks: 300,
      startedAt: 98765,
      pages: 2560,
      isZombie: false,
      isKernelThread: false,
    });
  });
  test.each(['a b', 'evil) S 1 (', ')', '(('])('is parsed with the process name %s', (name) => {
    expect(parseProcess(line(name))).toMatchObject({ name, ticks: 300, pages: 2560 });
  });
  test('is parsed with control characters in the name replaced', () =>
    expect(parseProcess(line('a\u0000b\n'))?.name).toBe('a\ufffdb\ufffd'));
  test.each(['', '12', '12 (x', '12 (x) S'])('is ignored when incomplete: %j', (text) =>
    expect(parseProcess(text)).toBeUndefined(),
  );
});

describe('fullName', () => {
  test.each([
    [
      'completes a truncated name from the command line',
      'process-with-a-',
      '/usr/bin/process-with-a-long-name\0--x\0',
      'process-with-a-long-name',
    ],
    ['replaces the name MainThread by the program', 'MainThread', '/opt/node/bin/node\0main.ts\0', 'node'],
    ['keeps a name that is not truncated', 'postgres', 'postgres: checkpointer \0', 'postgres'],
    ['keeps the name of a kernel thread', 'kworker/u8:1-ev', '', 'kworker/u8:1-ev'],
  ])('%s', (_, name, cmdline, wanted) => expect(fullName(name, cmdline)).toBe(wanted));
});

describe('topProcesses', () => {
  test('computes percent of one core from ticks and bytes from pages', () => {
    const before = new Map([[1, process(1, 100, 10)]]);
    expect(topProcesses(before, [process(1, 600, 10)], 10, units, 20)).toEqual([
      { name: 'p1', pid: 1, cpu_percent: 50, memory_rss: 40960 },
    ]);
  });
  test('treats a reused pid as another process', () => {
    const before = new Map([[1, process(1, 1000, 10, 5)]]);
    expect(topProcesses(before, [process(1, 20, 10, 9)], 10, units, 20)[0]?.cpu_percent).toBe(2);
  });
  test('lists the busiest and the largest names up to the limit of each, busiest first', () => {
    const many = Array.from({ length: 100 }, (_, index) => process(index, index, 1000 - index));
    const top = topProcesses(new Map(), many, 1, units, 20);
    expect(top).toHaveLength(40);
    expect(top[0]?.pid).toBe(99);
    expect(top.at(-1)?.pid).toBe(0);
  });
  test('lists a pool of many workers in at most 20 entries that add up to the total of its name', () => {
    const large = Array.from({ length: 60 }, (_, index) => process(index, 0, 1_000));
    const pool = Array.from({ length: 50 }, (_, index) => ({
      ...process(1_000 + index, 1, 100),
      name: 'worker',
    }));
    const workers = topProcesses(new Map(), [...large, ...pool], 1, units, 20).filter(
      ({ name }) => name === 'worker',
    );
    expect(workers).toHaveLength(20);
    expect(workers.reduce((sum, { memory_rss }) => sum + (memory_rss ?? 0), 0)).toBe(
      50 * 100 * units.pageBytes,
    );
    expect(workers.reduce((sum, { cpu_percent }) => sum + (cpu_percent ?? 0), 0)).toBeCloseTo(50, 6);
  });
});

test('topProcesses keeps the sum of many workers whose own use rounds to 0 %', () => {
  const before = new Map(
    Array.from({ length: 400 }, (_, pid) => [pid, { ...process(pid, 0, 1), name: 'w' }] as const),
  );
  const after = [...before.values()].map((each) => ({ ...each, ticks: 1 }));
  const top = topProcesses(before, after, 10_000, units, 20);
  expect(top.reduce((sum, { cpu_percent = 0 }) => sum + cpu_percent, 0)).toBeCloseTo(0.04, 1);
  expect(top.some(({ cpu_percent = 0 }) => cpu_percent > 0)).toBe(true);
});

describe('countByName', () => {
  const named = (name: string, more: Partial<ProcessTimes> = {}) => ({ ...process(1, 0, 1), name, ...more });
  test('counts every name, whatever its processes use, without zombies and per-processor kernel threads', () => {
    const kernel = { isKernelThread: true };
    const found = [
      named('nginx'),
      named('nginx'),
      named('nginx', { isZombie: true }),
      named('__proto__'),
      named('nfsd', kernel),
      named('kworker/0:1-events', kernel),
      named('php/fpm'),
    ];
    expect(Object.entries(countByName(found))).toEqual([
      ['nginx', 2],
      ['__proto__', 1],
      ['nfsd', 1],
      ['php/fpm', 1],
    ]);
  });
  test('counts the 1,000 names with most processes where there are more', () => {
    const many = Array.from({ length: 1_500 }, (_, index) => named(`job-${index}`));
    const counts = countByName([...many, named('zz-worker'), named('zz-worker')]);
    expect(Object.keys(counts)).toHaveLength(1_000);
    expect(counts['zz-worker']).toBe(2);
  });
  test('recognizes zombies and kernel threads in /proc/[pid]/stat', () => {
    expect(parseProcess(line('x').replace(') S', ') Z'))).toMatchObject({ isZombie: true });
    expect(parseProcess(line('x').replace(' 4194560 ', ' 69238880 '))).toMatchObject({
      isKernelThread: true,
    });
  });
});

test('reads page size and clock ticks from the auxiliary vector', () => {
  const auxv = new BigUint64Array([3n, 64n, 6n, 16384n, 17n, 250n, 0n, 0n]);
  expect(parseAuxiliaryVector(new Uint8Array(auxv.buffer))).toEqual({
    pageBytes: 16384,
    ticksPerSecond: 250,
  });
  expect(parseAuxiliaryVector(new Uint8Array())).toEqual({ pageBytes: 4096, ticksPerSecond: 100 });
});
