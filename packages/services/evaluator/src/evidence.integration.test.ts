import { readEvidence } from '@tidewatch/store/alerts/transitions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluatorBed, ORGANIZATION } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());

const MINUTE = 60_000;
const at = (minute: number) => new Date(bed.now + minute * MINUTE).toISOString();

async function evidenceOf(ruleId: string) {
  const [alert] = await bed.alerts(ruleId);
  return readEvidence(bed.store.sql, ORGANIZATION, String(alert?.id));
}

test('names the samples that opened, fired and closed an alert, over a restart', async () => {
  const rule = await bed.rule({ duration_minutes: 2, keep_firing_minutes: 1 });
  await bed.send('host-1', rule.metric, [[-9, 95]]);
  await bed.begin();
  await bed.send('host-1', rule.metric, [
    [-8, 96],
    [-7, 97],
  ]);
  await bed.send('host-1', rule.metric, [
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
  const now = new Date(bed.now).toISOString();
  expect(evidence?.latency).toEqual({
    ...{ sampled_at: at(-7), received_at: now, published_at: now, consumed_at: now, fired_at: now },
    notified_at: null,
  });
});

test('says where a sample lies in a log', async () => {
  await bed.takeOver({ writer: 0, evaluator: 0 });
  const rule = await bed.rule();
  await bed.send('host-2', rule.metric, [[-1, 95]]);
  expect((await evidenceOf(rule.id))?.samples).toEqual([
    { role: 'opened', time: at(-1), value: 95, topic: 'tidewatch.samples', partition: 0, offset: '0' },
    { role: 'fired', time: at(-1), value: 95, topic: 'tidewatch.samples', partition: 0, offset: '0' },
  ]);
});

test('is deleted with its alert', async () => {
  const rule = await bed.rule();
  await bed.send('host-3', rule.metric, [[-1, 95]]);
  const [alert] = await bed.alerts(rule.id);
  await bed.store.sql`delete from alerts where id = ${alert?.id}`;
  expect(await bed.store.sql`select * from alert_transitions where alert_id = ${alert?.id}`).toEqual([]);
  expect(await readEvidence(bed.store.sql, ORGANIZATION, String(alert?.id))).toBeNull();
});
