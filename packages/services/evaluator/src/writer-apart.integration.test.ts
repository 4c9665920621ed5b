import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluatorBed } from './evaluator.bed.ts';

const MINUTE = 60_000;
let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());

test('samples that a writer stored ahead of us are judged all the same', async () => {
  const { id, metric } = await bed.rule();
  await bed.send('ahead', metric, [[-4, 5]]);
  await bed.storeAlone('ahead', metric, [
    [-3, 95],
    [-2, 96],
    [-1, 5],
  ]);
  await bed.takeOver({ writer: 4, evaluator: 1 });
  await bed.judgeAlone('ahead', metric, [[-3, 95]]);
  await bed.takeOver({ writer: 4, evaluator: 2 });
  await bed.judgeAlone('ahead', metric, [[-2, 96]]);
  await bed.judgeAlone('ahead', metric, [[-1, 5]]);
  expect(await bed.alerts(id)).toMatchObject([
    { fired_at: bed.now - 3 * MINUTE, resolved_at: bed.now - MINUTE, peak_value: 96 },
  ]);
});

test('a sample older than the last judged stays unjudged where the writer is not ahead', async () => {
  const { id, metric } = await bed.rule();
  await bed.send('level', metric, [[-2, 5]]);
  await bed.settled();
  await bed.takeOver({ writer: 1, evaluator: 1 });
  await bed.judgeAlone('level', metric, [[-3, 95]]);
  expect(await bed.alerts(id)).toEqual([]);
});

test('a breach that is pending stays so where the writer has not stored it yet', async () => {
  const { id, metric } = await bed.rule({ duration_minutes: 5 });
  await bed.send('behind', metric, [[-6, 5]]);
  await bed.judgeAlone('behind', metric, [[-5, 95]]);
  await bed.takeOver({ writer: 1, evaluator: 2 });
  await bed.judgeAlone('behind', metric, [[0, 95]]);
  expect(await bed.alerts(id)).toMatchObject([
    { pending_since: bed.now - 5 * MINUTE, fired_at: bed.now, status: 'active' },
  ]);
});
