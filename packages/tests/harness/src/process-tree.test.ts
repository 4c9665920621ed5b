import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeProcess, endedChildrenSeconds, parseTimes } from './process-tree.ts';

test('parseTimes adds up the processor time of a process and of its ended children', () => {
  const line =
    '812 (postgres: (x) y) S 800 812 812 0 -1 4194560 1093 0 12 0 250 50 700 30 20 0 1 0 98765 12 25';
  expect(parseTimes(line)).toEqual({ pid: 812, parent: 800, ticks: 1030, startedAt: 98765 });
  expect(parseTimes('')).toBeUndefined();
});

test.each([
  ['postgres: tidewatch_ingest tidewatch [local] idle\0', 'postgres: tidewatch_ingest tidewatch'],
  ['postgres: checkpointer \0', 'postgres: checkpointer'],
  ['/opt/node/bin/node\0--x\0/a/apps/standalone/src/main.ts\0', 'node standalone/src/main.ts'],
  ['/usr/lib/postgres\0-D\0/data\0', 'postgres'],
])('%j', (cmdline, wanted) => expect(describeProcess(cmdline)).toBe(wanted));

test('what watches peaks does not keep its process alive', () => {
  const script = `const { watchPeaks } = await import(process.argv[1]);
    console.log(watchPeaks(() => process.pid).peaks() instanceof Map);`;
  const args = ['--input-type=module', '-e', script, new URL('./process-tree.ts', import.meta.url).href];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })).toBe('true\n');
});

test('the processor time of children counts once they have ended', () => {
  const before = endedChildrenSeconds(process.pid);
  execFileSync(process.execPath, [
    '-e',
    'for (const until = performance.now() + 200; performance.now() < until; );',
  ]);
  expect(endedChildrenSeconds(process.pid)).toBeGreaterThan(before);
  expect(endedChildrenSeconds(Number.NaN)).toBe(0);
});
