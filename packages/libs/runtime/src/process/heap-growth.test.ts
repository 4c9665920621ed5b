import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { growthPercent } from './heap-growth.ts';

const MIB = 1_048_576;

/**
 * Keeps 200 MiB of objects, then makes 700 MiB of garbage that becomes old, and prints how often the whole heap was collected
 * meanwhile.
 */
const churn = (call: string) => `
  import { adaptHeapGrowth } from ${JSON.stringify(new URL('./heap-growth.ts', import.meta.url).href)};
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setTimeout as sleep } from 'node:timers/promises';
  ${call}
  let collections = 0;
  const ofWholeHeap = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  new PerformanceObserver((list) => { collections += list.getEntries().filter(ofWholeHeap).length; })
    .observe({ entryTypes: ['gc'] });
  const block = () => Array.from({ length: 8_192 }, (_, index) => ({ index, next: index + 0.5 }));
  const keep = Array.from({ length: 400 }, block);
  for (let times = 0; times < 2; times += 1) {
    gc();
    await sleep(20);
  }
  collections = 0;
  const ring = [];
  for (let round = 0; round < 1_400; round += 1) {
    ring[round % 32] = block();
    if (round % 4 === 0) await sleep(1);
  }
  console.log(collections, keep.length);
`;

async function collections(call: string): Promise<number> {
  const options = ['--expose-gc', '--max-semi-space-size=1', '--heap-growing-percent=100'];
  const args = [...options, '--input-type=module', '--eval', churn(call)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout.split(' ')[0]);
}

test('a heap grows by 64 MiB, but at least by 30 percent and at most to twice its size', () => {
  expect([10, 64, 128, 158, 400].map((used) => growthPercent(used * MIB))).toEqual([100, 100, 50, 40, 30]);
});

test('a large heap is collected more often than the option at the start says', {
  timeout: 60_000,
}, async () => {
  const [adapted, fixed] = [await collections('adaptHeapGrowth();'), await collections('')];
  expect(adapted).toBeGreaterThan(1.5 * fixed);
});
