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

test('where the writer is ahead at a take-over, what no rule wants any more ends, and the rest goes on', async () => {
  const gone = await bed.rule();
  const kept = await bed.rule();
  const narrowed = await bed.rule();
  for (const { metric } of [gone, kept, narrowed]) {
    await bed.send(`host of ${metric}`, metric, [[-4, 95]]);
    await bed.storeAlone(`host of ${metric}`, metric, [[-3, 96]]);
  }
  await bed.settled();
  await bed.deleteRule(gone.id);
  await bed.edit(narrowed.id, { scope: { hosts: ['elsewhere-*'] } });
  await bed.takeOver({ writer: 6, evaluator: 3 });
  // Nothing is heard of the hosts meanwhile.
  await bed.settled();
  expect(await bed.alerts(gone.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_deleted' }]);
  expect(await bed.alerts(narrowed.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_changed' }]);
  expect(await bed.alerts(kept.id)).toMatchObject([{ status: 'active', value: 95 }]);
  await bed.judgeAlone(`host of ${kept.metric}`, kept.metric, [[-3, 96]]);
  await bed.settled();
  expect(await bed.alerts(kept.id)).toMatchObject([
    { status: 'active', value: 96, fired_at: bed.now - 4 * MINUTE },
  ]);
});
