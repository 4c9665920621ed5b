import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Script that allocates objects, some of which stay in use for a while, and reports the size of the young generation, MiB.
 */
const CHURN = `
  import { getHeapSpaceStatistics } from 'node:v8';
  let kept = [];
  for (let index = 0; index < 2e6; index += 1) {
    kept.push({ index, text: 'text ' + index });
    if (kept.length > 2e5) kept = [];
  }
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  console.log(young.space_size / 1048576);
`;

/**
 * Starts a thread in a process whose option asks for a larger young generation; returns the sizes of the thread and of the
 * main thread.
 */
async function youngOf(limits: string): Promise<number[]> {
  const churn = JSON.stringify(`data:text/javascript,${encodeURIComponent(CHURN)}`);
  const script = `
    import { Worker } from 'node:worker_threads';
    import { threadHeap } from ${JSON.stringify(new URL('./thread-heap.ts', import.meta.url).href)};
    const thread = new Worker(new URL(${churn}), { resourceLimits: ${limits} });
    thread.on('exit', () => import(${churn}));
  `;
  const args = ['--max-semi-space-size=32', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim().split('\n').map(Number);
}

test('a thread has its own limit of the young generation, and the main thread keeps that of the process', {
  timeout: 60_000,
}, async () => {
  const [thread, main] = await youngOf('threadHeap({ young: 12, old: 256 })');
  expect(thread).toBeLessThanOrEqual(12);
  expect(main).toBeGreaterThan(12);
});

test('the process option applies to a thread that has no limits of its own', {
  timeout: 60_000,
}, async () => {
  const [thread] = await youngOf('{ maxYoungGenerationSizeMb: 12 }');
  expect(thread).toBeGreaterThan(12);
});
