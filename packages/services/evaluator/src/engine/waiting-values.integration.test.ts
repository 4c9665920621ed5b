import { HOUR_MS } from '@tidewatch/contracts/time/duration';
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

test('the values of an alert storm are stored long before the next tick, though no samples follow', async () => {
  const STORED_AT_ONCE = 2_000;
  harness.tickEveryMs = HOUR_MS;
  harness.alertsAtOnce = 10_000;
  await harness.begin();
  const metric = 'of_a_storm';
  for (let count = 0; count < 50; count += 1) await harness.rule({ metric });
  const hosts = Array.from({ length: 1 + STORED_AT_ONCE / 50 }, (_, place) => `stormy-${place}`);
  const stored = async (value: number) => {
    const [row] = await harness.store.sql<{ count: number }[]>`
      select count(*)::int as count from rule_states where stream = ${metric} and value = ${value}`;
    return row?.count;
  };
  await harness.evaluator.start();
  for (const value of [95, 96, 97]) {
    harness.now += 100;
    await harness.publish([harness.requestOf(hosts, { [metric]: value })]);
  }
  expect(await stored(97)).toBe(0);
  harness.now += 1_000;
  await expect.poll(() => stored(97), { timeout: 20_000 }).toBe(STORED_AT_ONCE);
  await harness.settled();
  expect(await stored(97)).toBe(50 * hosts.length);
});
