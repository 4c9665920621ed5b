import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { compileRule } from '../rules/rule.ts';
import { Trial, type TrialAlert } from './trial.ts';
import { TrialRules } from './trial-rules.ts';

/** Evaluates minutes (minimum, maximum, mean), and returns the alerts by the minutes in which they fired and resolved. */
function tried(fields: Parameters<typeof definitionOf>[0], minutes: [number, number, number][]) {
  const alerts: TrialAlert[] = [];
  const rule = compileRule({ id: '', organizationId: '', version: 1, definition: definitionOf(fields) });
  const trial = new Trial(new TrialRules(rule), {
    fired: () => undefined,
    alert: (alert) => alerts.push(alert),
  });
  for (const [minute, values] of minutes.entries()) trial.take(minute * MINUTE_MS, ...values, 0);
  trial.finish();
  return alerts.map(({ firedAt, resolvedAt, peakValue }) => [
    firedAt / MINUTE_MS,
    resolvedAt === null ? null : resolvedAt / MINUTE_MS,
    peakValue,
  ]);
}

const BUSY: [number, number, number] = [92, 99, 95];
const MIXED: [number, number, number] = [50, 97, 70];
const CALM: [number, number, number] = [10, 20, 15];

describe('minutes in place of samples', () => {
  it('a minute in which all values breach continues a duration, and its maximum is the peak', () => {
    expect(tried({ duration_minutes: 2 }, [CALM, BUSY, BUSY, BUSY, CALM])).toEqual([[3, 4, 99]]);
  });

  it('a minute in which some values breach interrupts a duration', () => {
    expect(tried({ duration_minutes: 2 }, [BUSY, BUSY, MIXED, BUSY, CALM])).toEqual([]);
  });

  it('a minute in which some values breach fires a rule without a duration', () => {
    expect(tried({ duration_minutes: 0 }, [CALM, MIXED, CALM])).toEqual([[1, 2, 97]]);
  });

  it('a minute in which a breach ends does not begin another', () => {
    expect(tried({ duration_minutes: 0 }, [BUSY, MIXED, CALM])).toEqual([[0, 1, 99]]);
  });

  it('a range is breached if the minimum, maximum or mean of the minute lies in it', () => {
    const range = { condition: 'between', threshold: 40, threshold_max: 60, duration_minutes: 0 } as const;
    expect(
      tried(range, [
        [10, 90, 50],
        [10, 20, 15],
      ]),
    ).toEqual([[0, 1, 50]]);
  });

  it('an alert that has not ended is reported as active', () => {
    expect(tried({ duration_minutes: 0 }, [BUSY])).toEqual([[0, null, 99]]);
  });
});

it('a container that is missing three times in a row ends its alert', () => {
  const alerts: TrialAlert[] = [];
  const rule = compileRule({
    id: '',
    organizationId: '',
    version: 1,
    definition: definitionOf({ duration_minutes: 0 }),
  });
  const trial = new Trial(new TrialRules(rule), {
    fired: () => undefined,
    alert: (alert) => alerts.push(alert),
  });
  trial.take(0, 95, 95, 95, 0);
  expect([1, 2, 3].map((time) => trial.miss(time))).toEqual([false, false, true]);
  expect(alerts).toMatchObject([{ firedAt: 0, resolvedAt: 3 }]);
});
