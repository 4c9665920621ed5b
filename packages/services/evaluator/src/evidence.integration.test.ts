import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { readEvidence } from '@tidewatch/store/alerts/transitions';
import { expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const at = (minute: number) => new Date(harness.now + minute * MINUTE_MS).toISOString();

async function evidenceOf(ruleId: string) {
  const [alert] = await harness.alerts(ruleId);
  return readEvidence(harness.store.sql, ORGANIZATION, String(alert?.id));
}

test('the evidence of an alert names the samples that opened, fired and closed it, over a restart', async () => {
  const rule = await harness.rule({ duration_minutes: 2, keep_firing_minutes: 1 });
  await harness.send('host-1', rule.metric, [[-9, 95]]);
  await harness.begin();
  await harness.send('host-1', rule.metric, [
    [-8, 96],
    [-7, 97],
  ]);
  await harness.send('host-1', rule.metric, [
    [-6, 5],
    [-5.5, 98],
    [-5, 4],
    [-4, 3],
  ]);
  const evidence = await evidenceOf(rule.id);
  expect(
    evidence?.transitions.map(({ from, to, at: time, reason, value }) => [from, to, time, reason, value]),
  ).toEqual([
    ['inactive', 'pending', at(-9), 'breach', 95],
    ['pending', 'firing', at(-7), 'breach', 97],
    ['firing', 'recovering', at(-6), 'clear', 5],
    ['recovering', 'firing', at(-5.5), 'breach', 98],
    ['firing', 'recovering', at(-5), 'clear', 4],
    ['recovering', 'resolved', at(-4), 'recovered', 3],
  ]);
  const none = { topic: null, partition: null, offset: null };
  expect(evidence?.samples).toEqual([
    { role: 'opened', time: at(-9), value: 95, ...none },
    { role: 'fired', time: at(-7), value: 97, ...none },
    { role: 'closed', time: at(-4), value: 3, ...none },
  ]);
  const now = new Date(harness.now).toISOString();
  expect(evidence?.latency).toEqual({
    sampled_at: at(-7),
    received_at: now,
    published_at: now,
    consumed_at: now,
    fired_at: now,
    notified_at: null,
  });
});

test('the evidence of an alert names topic, partition and offset of its samples', async () => {
  await harness.takeOver({ writer: 0, evaluator: 0 });
  const rule = await harness.rule();
  await harness.send('host-2', rule.metric, [[-1, 95]]);
  expect((await evidenceOf(rule.id))?.samples).toEqual([
    { role: 'opened', time: at(-1), value: 95, topic: 'tidewatch.samples', partition: 0, offset: '0' },
    { role: 'fired', time: at(-1), value: 95, topic: 'tidewatch.samples', partition: 0, offset: '0' },
  ]);
});

test('the evidence of an alert is deleted with the alert', async () => {
  const rule = await harness.rule();
  await harness.send('host-3', rule.metric, [[-1, 95]]);
  const [alert] = await harness.alerts(rule.id);
  await harness.store.sql`delete from alerts where id = ${alert?.id}`;
  expect(await harness.store.sql`select * from alert_transitions where alert_id = ${alert?.id}`).toEqual([]);
  expect(await readEvidence(harness.store.sql, ORGANIZATION, String(alert?.id))).toBeNull();
});
