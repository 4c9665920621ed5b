import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EvaluatorBed } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());

const DAYS = 24 * 60;

describe('after a restart, samples that were older than raw retention when they came', () => {
  test('still keep what is older than them from being judged', async () => {
    const rule = await bed.rule();
    await bed.send('quiet', rule.metric, [[-20 * DAYS, 10]]);
    await bed.begin();
    await bed.send('quiet', rule.metric, [[-21 * DAYS, 99]]);
    expect(await bed.alerts(rule.id)).toEqual([]);
    await bed.send('quiet', rule.metric, [[-19 * DAYS, 99]]);
    expect(await bed.alerts(rule.id)).toMatchObject([{ value_at_fire: 99, backfilled: true }]);
  });

  test('make value, peak and time of an active pair good', async () => {
    const rule = await bed.rule();
    await bed.send('loud', rule.metric, [[-20 * DAYS, 95]]);
    await bed.send('loud', rule.metric, [[-20 * DAYS + 2, 97]]);
    await bed.begin();
    await bed.send('loud', rule.metric, [[-20 * DAYS + 1, 10]]);
    expect(await bed.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
    await bed.send('loud', rule.metric, [[-20 * DAYS + 3, 10]]);
    expect(await bed.alerts(rule.id)).toMatchObject([{ status: 'resolved', peak_value: 97, value: 10 }]);
  });
});
