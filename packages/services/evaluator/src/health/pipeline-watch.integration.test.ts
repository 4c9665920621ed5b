import { eventSchema } from '@tidewatch/contracts/events/event';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { writePipelineClocks } from '@tidewatch/store/health/pipeline-clocks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from '../testing/evaluator.harness.ts';
import { createPipelineWatch, type PipelineWatch } from './pipeline-watch.ts';

const SOON = { interval: 10 };

let rounds = 0;
const watches: PipelineWatch[] = [];
const harness = await openForFile(EvaluatorHarness.open());
beforeAll(async () => {
  for (const holder of ['one', 'two']) {
    watches.push(
      createPipelineWatch({
        sql: harness.store.sql,
        newId,
        holder,
        logger: createSilentLogger(),
        everyMs: 5,
        graceMs: 0,
        clock: () => {
          rounds += 1;
          return harness.now;
        },
      }),
    );
  }
});
afterAll(() => Promise.all(watches.map((watch) => watch.stop())));

/** Sets how many seconds ago each partition was completely evaluated. */
async function evaluatedUntil(...secondsAgo: number[]): Promise<void> {
  const clocks = secondsAgo.map((ago, partition) => ({
    partition,
    partitions: secondsAgo.length,
    completeUntil: harness.now - ago * 1_000,
  }));
  await writePipelineClocks(harness.store.sql, clocks);
}

async function emitted(): Promise<[string, number[]][]> {
  const events = (await harness.events()).filter(({ type }) => type.startsWith('pipeline.'));
  return events.map((event) => {
    const { type, source, data } = eventSchema.parse(event) as {
      type: string;
      source: string;
      data: { pipeline: { partitions: number[] } };
    };
    expect(source).toBe(`/tidewatch/${ORGANIZATION}`);
    return [type, data.pipeline.partitions];
  });
}

/** Waits for several rounds of the watch, in which no further event may be emitted. */
async function settle(): Promise<void> {
  const until = rounds + 20;
  await expect.poll(() => rounds, SOON).toBeGreaterThan(until);
}

test('each delay and each recovery of the pipeline is emitted once, whichever process watches', async () => {
  await evaluatedUntil(1, 2, 29);
  for (const watch of watches) watch.start();
  await settle();
  expect(await emitted()).toEqual([]);

  harness.now += 2_000;
  await expect.poll(emitted, SOON).toEqual([['pipeline.delayed', [2]]]);
  await settle();

  harness.now += 40_000;
  const behind: [string, number[]][] = [
    ['pipeline.delayed', [2]],
    ['pipeline.delayed', [0, 1]],
  ];
  await expect.poll(emitted, SOON).toEqual(behind);
  // Stops one watch, since a process that takes over must know which events were emitted.
  await watches[0]?.stop();
  await settle();
  expect(await emitted()).toEqual(behind);

  await evaluatedUntil(3, 2, 1);
  await expect.poll(emitted, SOON).toEqual([...behind, ['pipeline.recovered', [0, 1, 2]]]);
  await settle();
  expect(await emitted()).toHaveLength(3);
});

test('no partition counts as delayed within the grace period after a start', async () => {
  await Promise.all(watches.map((watch) => watch.stop()));
  harness.now += 3_600_000;
  const fresh = createPipelineWatch({
    sql: harness.store.sql,
    newId,
    holder: 'three',
    logger: createSilentLogger(),
    everyMs: 5,
    clock: () => {
      rounds += 1;
      return harness.now;
    },
  });
  fresh.start();
  await settle();
  expect(await emitted()).toHaveLength(3);
  harness.now += 20_000;
  await expect.poll(emitted, SOON).toHaveLength(4);
  await fresh.stop();
});
