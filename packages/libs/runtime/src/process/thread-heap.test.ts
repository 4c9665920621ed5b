import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Starts a thread while `keptMib` are in use, in a process that adapts the growth of its heap and keeps compiled modules in `folder`. */
async function startThreadOf(keptMib: number, folder: string): Promise<void> {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    import { Worker } from 'node:worker_threads';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { adaptHeapGrowth } from ${module('./heap-growth.ts')};
    import { threadHeap } from ${module('./thread-heap.ts')};
    const stop = adaptHeapGrowth();
    const kept = Array.from({ length: ${keptMib} }, () => new Array(131_072).fill(0.5));
    gc();
    await sleep(50);
    const thread = new Worker('', { eval: true, resourceLimits: threadHeap({ young: 12, old: 256 }) });
    thread.once('exit', () => stop(kept.length));
  `;
  const args = ['--expose-gc', '--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
  });
}

test('threads find compiled modules of earlier processes, however large the heap was', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-compiled-'));
  try {
    for (const keptMib of [1, 100, 200]) await startThreadOf(keptMib, folder);
    // Node keeps modules of other options of V8 apart, in a folder each: one of the processes, and one of their threads.
    expect(readdirSync(folder)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
