import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluatorBed } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed.close());

/** Resolves once a statement of this database waits for a lock. */
async function lockAwaited(): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await bed.store.sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length;
    })
    .toBeGreaterThan(0);
}

test('a tick that waits for rows of the transaction that waits for the tick lets go', async () => {
  const rule = await bed.rule();
  await bed.send('host-1', rule.metric, [[-3, 95]]);
  expect(await bed.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  await bed.deleteRule(rule.id);

  const { consumer } = bed.evaluator;
  const value: SampleRecord = { kind: 'heartbeat', at: bed.now };
  const delivery = { topic: '', partition: 0, offset: 0n, key: '', value, publishedAt: bed.now };
  let started: Promise<void> | undefined;
  await bed.store.transact(async (tx) => {
    await tx`select 1 from alerts where rule_id = ${rule.id} for update`;
    started = bed.evaluator.start();
    await lockAwaited();
    await consumer.handle([delivery], tx);
  });
  consumer.committed?.();
  await started;
  await bed.evaluator.stop();

  const [alert, ...others] = await bed.alerts(rule.id);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ status: 'resolved', resolution: 'rule_deleted' });
  const told = (await bed.events()).filter((event) => event.subject === alert?.id);
  expect(told.map((event) => event.type)).toEqual(['alert.fired', 'alert.resolved']);
});
