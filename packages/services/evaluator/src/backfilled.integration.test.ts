import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const DAYS = 24 * 60;

describe('after a restart, samples that arrived older than raw retention', () => {
  test('still keep older samples from being evaluated', async () => {
    const rule = await harness.rule();
    await harness.send('quiet', rule.metric, [[-20 * DAYS, 10]]);
    await harness.begin();
    await harness.send('quiet', rule.metric, [[-21 * DAYS, 99]]);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await harness.send('quiet', rule.metric, [[-19 * DAYS, 99]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ value_at_fire: 99, backfilled: true }]);
  });

  test('restore value, peak and time of an active alert instance', async () => {
    const rule = await harness.rule();
    await harness.send('loud', rule.metric, [[-20 * DAYS, 95]]);
    await harness.send('loud', rule.metric, [[-20 * DAYS + 2, 97]]);
    await harness.begin();
    await harness.send('loud', rule.metric, [[-20 * DAYS + 1, 10]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
    await harness.send('loud', rule.metric, [[-20 * DAYS + 3, 10]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved', peak_value: 97, value: 10 }]);
  });
});

describe('the breach of an alert that began with an old sample', () => {
  const confirmed = async (ruleId: string) =>
    (await harness.alerts(ruleId)).map(({ confirmed_at: at, backfilled }) => [backfilled, at !== null]);
  const OLD = -60;

  test('is confirmed by the first breaching sample that is fresh, and stays backfilled on the record', async () => {
    const rule = await harness.rule();
    await harness.send('confirmed', rule.metric, [[OLD, 95]]);
    await harness.send('confirmed', rule.metric, [[-16, 96]]);
    expect(await confirmed(rule.id)).toEqual([[true, false]]);
    await harness.send('confirmed', rule.metric, [[-15, 97]]);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
    const [alert] = await harness.alerts(rule.id);
    expect(Number(alert?.confirmed_at)).toBe(harness.now);
    const steps = await harness.store.sql`
      select to_state, reason from alert_transitions where alert_id = ${alert?.id} order by number`;
    expect(steps.map(({ to_state: to, reason }) => `${to} ${reason}`)).toEqual([
      ...['firing breach', 'firing confirmed'],
    ]);
    await harness.send('confirmed', rule.metric, [[0, 98]]);
    expect(await harness.store.sql`select from alert_transitions where alert_id = ${alert?.id}`).toHaveLength(
      2,
    );
  });

  test('is not confirmed by a value that does not breach, or by one that ends it', async () => {
    const rule = await harness.rule({ recovery_threshold: 50 });
    await harness.send('between', rule.metric, [[OLD, 95]]);
    await harness.send('between', rule.metric, [[-1, 80]]);
    expect(await confirmed(rule.id)).toEqual([[true, false]]);
    await harness.send('between', rule.metric, [[0, 10]]);
    expect(await confirmed(rule.id)).toEqual([[true, false]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved' }]);
  });

  test('is confirmed by the last sample of the request in which it began', async () => {
    const rule = await harness.rule();
    await harness.send('backlog', rule.metric, [
      [OLD, 95],
      [0, 95],
    ]);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
  });

  test('is confirmed after a restart', async () => {
    const rule = await harness.rule();
    await harness.send('restarted', rule.metric, [[OLD, 95]]);
    await harness.begin();
    await harness.send('restarted', rule.metric, [[0, 95]]);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
    await harness.begin();
    await harness.send('restarted', rule.metric, [[0, 96]]);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
  });

  test('is confirmed once when the transaction of the sample is rolled back and repeated', async () => {
    const rule = await harness.rule();
    await harness.send('rolled-back', rule.metric, [[OLD, 95]]);
    await harness.send('rolled-back', rule.metric, [[0, 95]], {}, { fail: true });
    expect(await confirmed(rule.id)).toEqual([[true, false]]);
    await harness.send('rolled-back', rule.metric, [[0, 95]]);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
  });

  test.each(['container', 'process'])('is confirmed for each %s separately', async (kind) => {
    const rule = await harness.rule({ metric: `${kind}.cpu_percent` });
    const member = (name: string, cpu: number) => ({ name, cpu_percent: cpu, pid: 1 });
    const send = (minutes: number, ...members: object[]) =>
      harness.send(`of-${kind}`, 'other', [[minutes, 1]], {
        [kind === 'process' ? 'processes' : 'containers']: members,
      });
    await send(OLD, member('api', 95), member('db', 95));
    await send(0, member('api', 95), member('db', 5));
    const rows = await harness.alerts(rule.id);
    const states = rows.map(({ subject_name: name, status, confirmed_at: at }) => [
      name,
      status,
      at !== null,
    ]);
    expect(states.sort()).toEqual([
      ['api', 'active', true],
      ['db', 'resolved', false],
    ]);
  });

  test('is confirmed once the offset of a slow clock is known', async () => {
    const rule = await harness.rule();
    for (let i = 0; i < 12; i += 1) {
      harness.now += 1_000;
      await harness.send('slow', rule.metric, [[-20, 95]]);
      expect(await confirmed(rule.id)).toEqual([[true, i > 9]]);
    }
  });

  test('is confirmed by missing data when the rule fires on missing data', async () => {
    const rule = await harness.rule({ no_data: { policy: 'alert', after_minutes: 2 } });
    await harness.beat(1);
    await harness.send('lost', rule.metric, [[OLD, 95]]);
    await harness.beat(60);
    expect(await confirmed(rule.id)).toEqual([[true, false]]);
    await harness.beat(90);
    expect(await confirmed(rule.id)).toEqual([[true, true]]);
  });

  test('is not confirmed a second time when it began with a fresh sample', async () => {
    const rule = await harness.rule();
    await harness.send('fresh', rule.metric, [[-1, 95]]);
    await harness.send('fresh', rule.metric, [[0, 95]]);
    expect(await confirmed(rule.id)).toEqual([[false, false]]);
  });
});
