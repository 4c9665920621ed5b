import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluatorBed } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());

const FLUSHES = [
  ['due', 1_000],
  ['not due', 0],
] as const;

test.each(FLUSHES)(
  'an alert that fires and moves on in one transaction shows the last value: flush %s',
  async (due, quietMs) => {
    const rule = await bed.rule({ duration_minutes: 2 });
    await bed.beat(1);
    bed.now += quietMs;
    await bed.send(`fires-${due}`, rule.metric, [
      [-3, 91],
      [-2, 92],
      [-1, 95],
      [-0.5, 99],
      [0, 94],
    ]);
    await bed.settled();
    expect(await bed.alerts(rule.id)).toMatchObject([
      { state: 'firing', value_at_fire: 95, peak_value: 99, value: 94 },
    ]);
  },
);

test.each(FLUSHES)('so does one that fires again while it recovers: flush %s', async (due, quietMs) => {
  const rule = await bed.rule({ duration_minutes: 0, keep_firing_minutes: 10 });
  const host = `recovers-${due}`;
  await bed.send(host, rule.metric, [[-5, 91]]);
  await bed.beat(1);
  bed.now += quietMs;
  await bed.send(host, rule.metric, [
    [-3, 10],
    [-2, 92],
    [-1, 99],
    [0, 94],
  ]);
  await bed.settled();
  expect(await bed.alerts(rule.id)).toMatchObject([
    { state: 'firing', flap_count: 1, value_at_fire: 91, peak_value: 99, value: 94 },
  ]);
});
