import { openForFile } from '@tidewatch/harness/opened';
import { LiveReads } from '@tidewatch/runtime/process/live-reads';
import { expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

test('values of an active alert are held back while nobody reads, stored before the first read, and restored after a crash', async () => {
  const liveReads = new LiveReads();
  harness.liveReads = liveReads;
  await harness.begin();
  const rule = await harness.rule({ threshold: 90 });
  const values = async () =>
    (await harness.alerts(rule.id)).map(({ value, peak_value }) => [value, peak_value]);
  const send = (value: number) => harness.send('host-1', rule.metric, [[0, value]]);
  // The first value that moves is stored at once, since the last flush was long ago.
  await send(95);
  await send(97);
  harness.now += 10_000;
  await send(99);
  harness.now += 10_000;
  await send(98);
  expect(await values()).toEqual([[97, 97]]);
  await harness.evaluator.start();
  await liveReads.beforeRead();
  expect(await values()).toEqual([[98, 99]]);
  await harness.evaluator.stop();

  harness.liveReads = new LiveReads();
  await harness.begin();
  harness.now += 10_000;
  await send(93);
  harness.now += 10_000;
  await send(100);
  harness.now += 10_000;
  await harness.begin();
  await send(96);
  await harness.evaluator.start();
  await harness.liveReads.beforeRead();
  expect(await values()).toEqual([[96, 100]]);
  await harness.evaluator.stop();
});
