import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, test } from 'vitest';
import { ruleOf } from '../rules/rule.fixture.ts';
import type { AlertInstanceState } from './alert-instance-state.ts';
import { evaluate } from './evaluate.ts';

const NOW = { duration_minutes: 0 };
const FIVE = { duration_minutes: 5 };
const KEEP = { duration_minutes: 0, keep_firing_minutes: 5 };
const RECOVERY = { duration_minutes: 0, recovery_threshold: 80 };

/**
 * Each row is a rule and the samples of one alert instance, which starts inactive: minute, value, the state after the
 * value, and the transition. The usual interval is a minute unless given.
 */
const ROWS: [name: string, fields: Partial<RuleDefinition>, story: string, usualIntervalMs?: number][] = [
  ['inactive stays inactive on a clear sample', FIVE, '0 10 inactive'],
  ['inactive goes pending on a breach', FIVE, '0 95 pending pending'],
  ['inactive fires at once at duration 0', NOW, '0 95 firing fired'],
  ['a value on a strict threshold does not breach', NOW, '0 90 inactive'],
  ['pending is cleared by a clear sample', FIVE, '0 95 pending pending, 1 10 inactive cleared'],
  [
    'pending restarts after a clear sample',
    FIVE,
    '0 95 pending pending, 3 10 inactive cleared, 4 95 pending pending, 8 95 pending, 9 95 firing fired',
  ],
  ['pending stays before the duration has passed', FIVE, '0 95 pending pending, 4.999 95 pending'],
  ['pending fires exactly at the duration', FIVE, '0 95 pending pending, 5 95 firing fired'],
  ['pending fires after the duration', FIVE, '0 95 pending pending, 3 91 pending, 5.5 92 firing fired'],
  ['a clear sample at the duration clears', FIVE, '0 95 pending pending, 5 10 inactive cleared'],
  ['a gap of exactly five minutes is none', FIVE, '0 95 pending pending, 5 95 firing fired'],
  [
    'a gap of more than five minutes restarts pending',
    FIVE,
    '0 95 pending pending, 5.001 95 pending cleared pending, 10 95 pending, 10.001 95 firing fired',
  ],
  ['a gap that ends in a clear sample clears once', FIVE, '0 95 pending pending, 30 10 inactive cleared'],
  [
    'a gap within three usual intervals of a slow stream is none',
    FIVE,
    '0 95 pending pending, 12 95 firing fired',
    4 * MINUTE_MS,
  ],
  [
    'a gap of more than three usual intervals of a slow stream restarts pending',
    FIVE,
    '0 95 pending pending, 12.001 95 pending cleared pending',
    4 * MINUTE_MS,
  ],
  ['a gap does nothing to firing', NOW, '0 95 firing fired, 600 95 firing'],
  [
    'a gap does nothing to recovering',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 600 95 firing refired',
  ],
  ['firing stays on a breach', NOW, '0 95 firing fired, 1 99 firing'],
  ['firing resolves on a clear sample at keep firing 0', NOW, '0 95 firing fired, 1 10 inactive resolved'],
  ['firing stays between recovery threshold and threshold', RECOVERY, '0 95 firing fired, 1 85 firing'],
  ['firing stays exactly on the recovery threshold', RECOVERY, '0 95 firing fired, 1 80 firing'],
  ['firing resolves past the recovery threshold', RECOVERY, '0 95 firing fired, 1 79.9 inactive resolved'],
  [
    'pending clears without asking the recovery threshold',
    { ...RECOVERY, duration_minutes: 5 },
    '0 95 pending pending, 1 85 inactive cleared',
  ],
  ['firing recovers where it keeps firing', KEEP, '0 95 firing fired, 1 10 recovering recovering'],
  [
    'recovering stays while clear for less than keep firing',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 5.999 10 recovering',
  ],
  [
    'recovering resolves exactly at keep firing',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 6 10 inactive resolved',
  ],
  [
    'recovering refires on a breach',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 2 95 firing refired',
  ],
  [
    'a breach at the end of keep firing refires',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 6 95 firing refired',
  ],
  [
    'keep_firing_minutes count from the start after a refire',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 2 95 firing refired, 3 10 recovering recovering, 7 10 recovering, 8 10 inactive resolved',
  ],
  [
    'recovering goes on between recovery threshold and threshold',
    { ...KEEP, recovery_threshold: 80 },
    '0 95 firing fired, 1 79 recovering recovering, 2 85 recovering, 6 85 inactive resolved',
  ],
  [
    'a resolved alert instance fires a new alert',
    NOW,
    '0 95 firing fired, 1 10 inactive resolved, 2 95 firing fired',
  ],
  [
    'an older sample is not evaluated',
    NOW,
    '5 95 firing fired, 4 10 firing, 6 10 inactive resolved, 5.5 95 inactive',
  ],
  ['a sample of the same time is evaluated', NOW, '5 95 firing fired, 5 10 inactive resolved'],
  ['the same sample again changes nothing while firing', NOW, '5 95 firing fired, 5 95 firing'],
  ['the same sample again changes nothing while pending', FIVE, '5 95 pending pending, 5 95 pending'],
  [
    'the same sample again changes nothing while recovering',
    KEEP,
    '0 95 firing fired, 1 10 recovering recovering, 1 10 recovering',
  ],
  [
    'the same clear sample again changes nothing once resolved',
    NOW,
    '0 95 firing fired, 1 10 inactive resolved, 1 10 inactive',
  ],
];

describe('the transition table', () => {
  test.each(ROWS)('%s', (_, fields, story, usualIntervalMs = MINUTE_MS) => {
    const rule = ruleOf(fields);
    let state: AlertInstanceState | null = null;
    let last: number | null = null;
    for (const step of story.split(', ')) {
      const [minute, value, wanted, ...transitions] = step.split(' ');
      const time = Number(minute) * MINUTE_MS;
      const verdict = evaluate(rule, state, last, time, Number(value), usualIntervalMs);
      if (verdict !== null) state = verdict.next;
      last = Math.max(last ?? time, time);
      expect({
        minute,
        state: (state as AlertInstanceState | null)?.state ?? 'inactive',
        transitions: verdict?.transitions ?? [],
      }).toEqual({ minute, state: wanted, transitions });
    }
  });
});

/** Evaluates samples, each a minute and a value as in the rows above, and returns the last state. */
function after(
  fields: Partial<RuleDefinition>,
  samples: string,
  from: AlertInstanceState | null = null,
): AlertInstanceState | null {
  const rule = ruleOf(fields);
  let state = from;
  let last = from?.evaluatedAt ?? null;
  for (const sample of samples.split(', ')) {
    const [minute, value] = sample.split(' ').map(Number) as [number, number];
    const verdict = evaluate(rule, state, last, minute * MINUTE_MS, value, 0);
    if (verdict !== null) state = verdict.next;
    last = minute * MINUTE_MS;
  }
  return state;
}

describe('the state of an alert instance', () => {
  test('a pending alert instance has its value as peak and no fired time', () => {
    expect(after(FIVE, '1 95, 2 93')).toEqual({
      state: 'pending',
      pendingSince: MINUTE_MS,
      clearSince: null,
      evaluatedAt: 2 * MINUTE_MS,
      value: 93,
      peakValue: 93,
      flapCount: 0,
      firedAt: null,
      valueAtFire: null,
      severity: 'warning',
      levels: null,
      noData: false,
      missed: 0,
    });
  });
  test('the peak of a firing alert instance counts from when it fired', () => {
    expect(after({ duration_minutes: 2 }, '1 99, 2 91, 3 92, 4 96, 5 94')).toEqual({
      state: 'firing',
      pendingSince: MINUTE_MS,
      clearSince: null,
      evaluatedAt: 5 * MINUTE_MS,
      value: 94,
      peakValue: 96,
      flapCount: 0,
      firedAt: 3 * MINUTE_MS,
      valueAtFire: 92,
      severity: 'warning',
      levels: null,
      noData: false,
      missed: 0,
    });
  });
  test('a rule of duration 0 has the same time for pending since and fired at', () => {
    expect(after(NOW, '1 95')).toMatchObject({
      pendingSince: MINUTE_MS,
      firedAt: MINUTE_MS,
      valueAtFire: 95,
      peakValue: 95,
    });
  });
  test('flaps are counted, and the alert keeps its start time', () => {
    const firing = after(KEEP, '1 95');
    expect(after(KEEP, '2 10, 3 95, 4 10, 5 99', firing)).toMatchObject({
      state: 'firing',
      flapCount: 2,
      pendingSince: MINUTE_MS,
      firedAt: MINUTE_MS,
      valueAtFire: 95,
      peakValue: 99,
      clearSince: null,
    });
  });
  test.each([
    ['less_than', { condition: 'less_than', threshold: 10 }, [8, 2, 6], 2],
    ['less_than_or_equal', { condition: 'less_than_or_equal', threshold: 10 }, [8, 2, 6], 2],
    ['greater_than_or_equal', { condition: 'greater_than_or_equal', threshold: 90 }, [91, 97, 93], 97],
    ['not_equal: the farthest off', { condition: 'not_equal', threshold: 10 }, [8, 13, 9], 13],
    ['between: the deepest inside', { condition: 'between', threshold: 0, threshold_max: 10 }, [1, 5, 9], 5],
    [
      'not_between: the farthest outside',
      { condition: 'not_between', threshold: 0, threshold_max: 10 },
      [11, -4, 12],
      -4,
    ],
  ] as const)('the peak lies in the direction of %s', (_, fields, values, peak) => {
    expect(
      after({ ...NOW, ...fields }, values.map((value, minute) => `${minute} ${value}`).join(', '))?.peakValue,
    ).toBe(peak);
  });
  test('evaluation does not change the state that it is given', () => {
    const state = Object.freeze(after(KEEP, '1 95') as AlertInstanceState);
    expect(after(KEEP, '2 99, 3 10, 4 95', state)).not.toBe(state);
  });
});

describe('an edited rule', () => {
  test('evaluates the same alert by the new threshold at the next sample', () => {
    const firing = after(NOW, '0 95');
    expect(after({ ...NOW, threshold: 97 }, '1 98', firing)).toMatchObject({
      state: 'firing',
      pendingSince: 0,
    });
    expect(after({ ...NOW, threshold: 97 }, '1 95', firing)).toBeNull();
  });
  test('fires a pending alert instance whose shorter duration has passed, with its pending since', () => {
    const pending = after({ duration_minutes: 10 }, '0 95, 4 95');
    expect(after({ duration_minutes: 3 }, '5 95', pending)).toMatchObject({
      state: 'firing',
      pendingSince: 0,
      firedAt: 5 * MINUTE_MS,
    });
  });
  test('keeps a firing alert firing under a longer duration', () => {
    expect(after({ duration_minutes: 60 }, '1 95', after(NOW, '0 95'))).toMatchObject({
      state: 'firing',
    });
  });
});

test('a service that evaluated another subject later refuses the older sample of an inactive alert instance', () => {
  expect(evaluate(ruleOf(NOW), null, 2 * MINUTE_MS, MINUTE_MS, 95, 0)).toBeNull();
});
