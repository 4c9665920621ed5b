import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { EvaluatorHarness } from '../testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const FLUSHES = [
  ['due', 1_000],
  ['not due', 0],
] as const;

test.each(FLUSHES)(
  'an alert that fires and gets further values in one transaction shows the last value (flush %s)',
  async (due, quietMs) => {
    const rule = await harness.rule({ duration_minutes: 2 });
    await harness.beat(1);
    harness.now += quietMs;
    await harness.send(`fires-${due}`, rule.metric, [
      [-3, 91],
      [-2, 92],
      [-1, 95],
      [-0.5, 99],
      [0, 94],
    ]);
    await harness.settled();
    expect(await harness.alerts(rule.id)).toMatchObject([
      { state: 'firing', value_at_fire: 95, peak_value: 99, value: 94 },
    ]);
  },
);

test.each(FLUSHES)(
  'an alert that breaches again while it recovers shows its newest value (flush of waiting values %s)',
  async (due, quietMs) => {
    const rule = await harness.rule({ duration_minutes: 0, keep_firing_minutes: 10 });
    const host = `recovers-${due}`;
    await harness.send(host, rule.metric, [[-5, 91]]);
    await harness.beat(1);
    harness.now += quietMs;
    await harness.send(host, rule.metric, [
      [-3, 10],
      [-2, 92],
      [-1, 99],
      [0, 94],
    ]);
    await harness.settled();
    expect(await harness.alerts(rule.id)).toMatchObject([
      { state: 'firing', flap_count: 1, value_at_fire: 91, peak_value: 99, value: 94 },
    ]);
  },
);
