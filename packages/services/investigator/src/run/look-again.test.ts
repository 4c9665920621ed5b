import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { type EndedRun, looksAgainAfter } from './look-again.ts';

const BEGAN = Date.parse('2026-11-22T12:00:00Z');
const run = (minutes: number, given: Partial<EndedRun> = {}, alert: Partial<EndedRun['alert']> = {}) =>
  looksAgainAfter({
    verdict: { conclusion: 'inconclusive', enoughAt: null },
    to: BEGAN + minutes * MINUTE_MS,
    reruns: 0,
    ...given,
    alert: {
      id: 'alr_1',
      ruleName: 'busy',
      metric: 'cpu_percent',
      noData: false,
      pendingSince: BEGAN,
      firedAt: BEGAN + minutes * MINUTE_MS,
      resolvedAt: null,
      resolution: null,
      ...alert,
    },
  });

it.each([
  ['at once', 0, 2],
  ['half a minute later', 0.5, 1.5],
  ['five minutes later', 5, 5],
  ['an hour later', 60, 60],
])(
  'a run looks again at a trouble that it saw %s when the trouble is on for twice as long, and two minutes',
  (_when, age, after) => {
    expect(run(age)).toBe(after * MINUTE_MS);
  },
);

it('a run after another is followed by one more only where the trouble was not on for two minutes', () => {
  expect(run(1.5, { reruns: 1 })).toBe(0.5 * MINUTE_MS);
  expect(run(2, { reruns: 1 })).toBeNull();
  expect(run(30, { reruns: 3 })).toBeNull();
});

it('an alert without a pending time counts from when it fired', () => {
  expect(run(3, {}, { pendingSince: null, firedAt: BEGAN + 2 * MINUTE_MS })).toBe(MINUTE_MS);
});

it.each<[string, Partial<EndedRun>, Partial<EndedRun['alert']>]>([
  ['a cause is named', { verdict: { conclusion: 'root_cause_found', enoughAt: null } }, {}],
  ['more history is waited for', { verdict: { conclusion: 'inconclusive', enoughAt: BEGAN + HOUR_MS } }, {}],
  ['the alert has resolved', {}, { resolvedAt: BEGAN + 4 * MINUTE_MS }],
  ['the host is silent', {}, { noData: true }],
  ['the trouble is older than an hour', { to: BEGAN + 2 * HOUR_MS }, {}],
])('no run looks again where %s', (_why, given, alert) => {
  expect(run(3, given, alert)).toBeNull();
});
