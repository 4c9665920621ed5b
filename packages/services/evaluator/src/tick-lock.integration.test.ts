import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

function heartbeat() {
  const value: SampleRecord = { kind: 'heartbeat', at: harness.now };
  return { topic: '', partition: 0, offset: 0n, key: '', value, publishedAt: harness.now };
}

/** Waits until a statement of this database waits for a lock. */
async function lockAwaited(): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await harness.store.sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length;
    })
    .toBeGreaterThan(0);
}

test('a tick that waits for row locks of the bus’s transaction gives up after its lock timeout', async () => {
  const rule = await harness.rule();
  await harness.send('host-1', rule.metric, [[-3, 95]]);
  expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  await harness.deleteRule(rule.id);

  const { consumer } = harness.evaluator;
  let started: Promise<void> | undefined;
  await harness.store.transact(async (tx) => {
    await tx`select 1 from alerts where rule_id = ${rule.id} for update`;
    started = harness.evaluator.start();
    await lockAwaited();
    await consumer.handle([heartbeat()], tx);
  });
  consumer.committed?.();
  await started;
  await harness.evaluator.stop();

  const [alert, ...others] = await harness.alerts(rule.id);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ status: 'resolved', resolution: 'rule_deleted' });
  const emitted = (await harness.events()).filter((event) => event.subject === alert?.id);
  expect(emitted.map((event) => event.type)).toEqual(['alert.fired', 'alert.resolved']);
});

test('an announced deletion is evaluated long before the next tick, though a transaction of the bus began before it', async () => {
  harness.tickEveryMs = HOUR_MS;
  await harness.begin();
  const rule = await harness.rule();
  await harness.send('host-2', rule.metric, [[-3, 95]]);
  expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  const { consumer } = harness.evaluator;
  await harness.evaluator.start();
  await harness.store.transact(async (tx) => {
    await consumer.handle([heartbeat()], tx);
    await harness.deleteRule(rule.id);
    harness.evaluator.nudge();
  });
  consumer.committed?.();
  await expect
    .poll(() => harness.alerts(rule.id))
    .toMatchObject([{ status: 'resolved', resolution: 'rule_deleted' }]);
  await harness.evaluator.stop();
});
