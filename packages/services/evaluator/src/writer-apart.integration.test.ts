import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

test('samples that a separate writer stored before the evaluator read them are evaluated', async () => {
  const { id, metric } = await harness.rule();
  await harness.send('ahead', metric, [[-4, 5]]);
  await harness.storeAlone('ahead', metric, [
    [-3, 95],
    [-2, 96],
    [-1, 5],
  ]);
  await harness.takeOver({ writer: 4, evaluator: 1 });
  await harness.evaluateAlone('ahead', metric, [[-3, 95]]);
  await harness.takeOver({ writer: 4, evaluator: 2 });
  await harness.evaluateAlone('ahead', metric, [[-2, 96]]);
  await harness.evaluateAlone('ahead', metric, [[-1, 5]]);
  expect(await harness.alerts(id)).toMatchObject([
    { fired_at: harness.now - 3 * MINUTE_MS, resolved_at: harness.now - MINUTE_MS, peak_value: 96 },
  ]);
});

test('a sample older than the last evaluated one is not evaluated when the writer is not ahead', async () => {
  const { id, metric } = await harness.rule();
  await harness.send('level', metric, [[-2, 5]]);
  await harness.settled();
  await harness.takeOver({ writer: 1, evaluator: 1 });
  await harness.evaluateAlone('level', metric, [[-3, 95]]);
  expect(await harness.alerts(id)).toEqual([]);
});

test('a pending alert stays pending when the writer has not stored its sample yet', async () => {
  const { id, metric } = await harness.rule({ duration_minutes: 5 });
  await harness.send('behind', metric, [[-6, 5]]);
  await harness.evaluateAlone('behind', metric, [[-5, 95]]);
  await harness.takeOver({ writer: 1, evaluator: 2 });
  await harness.evaluateAlone('behind', metric, [[0, 95]]);
  expect(await harness.alerts(id)).toMatchObject([
    { pending_since: harness.now - 5 * MINUTE_MS, fired_at: harness.now, status: 'active' },
  ]);
});

test('a take-over with the writer ahead ends alerts whose rules are gone and keeps the others', async () => {
  const gone = await harness.rule();
  const kept = await harness.rule();
  const narrowed = await harness.rule();
  for (const { metric } of [gone, kept, narrowed]) {
    await harness.send(`host of ${metric}`, metric, [[-4, 95]]);
    await harness.storeAlone(`host of ${metric}`, metric, [[-3, 96]]);
  }
  await harness.settled();
  await harness.deleteRule(gone.id);
  await harness.edit(narrowed.id, { scope: { hosts: ['elsewhere-*'] } });
  await harness.takeOver({ writer: 6, evaluator: 3 });
  // Settles without any request of the hosts.
  await harness.settled();
  expect(await harness.alerts(gone.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_deleted' }]);
  expect(await harness.alerts(narrowed.id)).toMatchObject([
    { status: 'resolved', resolution: 'rule_changed' },
  ]);
  expect(await harness.alerts(kept.id)).toMatchObject([{ status: 'active', value: 95 }]);
  await harness.evaluateAlone(`host of ${kept.metric}`, kept.metric, [[-3, 96]]);
  await harness.settled();
  expect(await harness.alerts(kept.id)).toMatchObject([
    { status: 'active', value: 96, fired_at: harness.now - 4 * MINUTE_MS },
  ]);
});
