import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, test } from 'vitest';
import { ruleOf } from '../rules/rule.fixture.ts';
import { evaluateMissing, evaluateNoData } from './absence.ts';
import type { AlertInstanceState } from './alert-instance-state.ts';
import { evaluate } from './evaluate.ts';

const policy = (name: 'keep_state' | 'alert' | 'resolve') =>
  ruleOf({ duration_minutes: 0, no_data: { policy: name, after_minutes: 10 } });
const firing = evaluate(policy('alert'), null, null, MINUTE_MS, 95, 0)?.next as AlertInstanceState;
const pending = evaluate(ruleOf({ duration_minutes: 5 }), null, null, MINUTE_MS, 95, 0)
  ?.next as AlertInstanceState;

describe('a missing metric', () => {
  test.each<['keep_state' | 'alert' | 'resolve', AlertInstanceState | null, string | null]>([
    ['keep_state', null, null],
    ['keep_state', firing, null],
    ['alert', firing, null],
    ['resolve', null, null],
    ['alert', null, 'fired'],
    ['alert', pending, 'cleared fired'],
    ['resolve', firing, 'resolved'],
    ['resolve', pending, 'cleared'],
  ])('policy %s', (name, previous, wanted) => {
    const verdict = evaluateNoData(policy(name), previous, MINUTE_MS, 20 * MINUTE_MS);
    expect(verdict === null ? null : verdict.transitions.join(' ')).toBe(wanted);
  });

  test('an alert about missing data has no value, and ends at the next sample that does not breach', () => {
    const fired = evaluateNoData(policy('alert'), null, MINUTE_MS, 20 * MINUTE_MS)
      ?.next as AlertInstanceState;
    expect(fired).toMatchObject({ state: 'firing', noData: true, value: null, firedAt: 20 * MINUTE_MS });
    expect(evaluate(policy('alert'), fired, MINUTE_MS, 21 * MINUTE_MS, 5, 0)).toEqual({
      next: null,
      transitions: ['resolved'],
    });
  });

  test.each([
    [MINUTE_MS, 2 * MINUTE_MS],
    [null, 11 * MINUTE_MS],
  ])('last evaluated at %j ms, it ends by a sample that is later and from before it fired', (last, time) => {
    const fired = evaluateNoData(policy('alert'), null, last, 20 * MINUTE_MS)?.next as AlertInstanceState;
    expect(evaluate(policy('alert'), fired, last, time, 5, 0)?.transitions).toEqual(['resolved']);
    expect(evaluate(policy('alert'), fired, last, time - 2 * MINUTE_MS, 5, 0)).toBeNull();
  });

  test('a sample that breaches continues the same alert', () => {
    const fired = evaluateNoData(policy('alert'), null, MINUTE_MS, 20 * MINUTE_MS)
      ?.next as AlertInstanceState;
    const verdict = evaluate(policy('alert'), fired, null, 21 * MINUTE_MS, 95, 0);
    expect(verdict?.next).toMatchObject({ state: 'firing', noData: true, value: 95, peakValue: 95 });
  });
});

describe('a container or process that is missing', () => {
  test('the third payload in a row without the container ends its alert instance', () => {
    const first = evaluateMissing(firing);
    const second = evaluateMissing(first.next as AlertInstanceState);
    expect([first, second].map(({ next, transitions }) => [next?.missed, transitions])).toEqual([
      [1, []],
      [2, []],
    ]);
    expect(evaluateMissing(second.next as AlertInstanceState)).toEqual({
      next: null,
      transitions: ['resolved'],
    });
  });

  test('a payload with the container resets the count', () => {
    const missed = evaluateMissing(evaluateMissing(firing).next as AlertInstanceState)
      .next as AlertInstanceState;
    const seen = evaluate(policy('alert'), missed, MINUTE_MS, 2 * MINUTE_MS, 96, 0)?.next;
    expect(seen?.missed).toBe(0);
  });
});
