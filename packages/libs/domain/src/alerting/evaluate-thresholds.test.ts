import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { levelOf, overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleOf } from '../rules/rule.fixture.ts';
import type { CompiledRule } from '../rules/rule.ts';
import type { AlertInstanceState } from './alert-instance-state.ts';
import { evaluate } from './evaluate.ts';

const TWO = { threshold: null, thresholds: [levelOf('warning', 80), levelOf('critical', 95)] };
const NOW: Partial<RuleDefinition> = { ...TWO, duration_minutes: 0 };
const KEEP: Partial<RuleDefinition> = { ...NOW, keep_firing_minutes: 5 };
const LATER: Partial<RuleDefinition> = {
  threshold: null,
  duration_minutes: 5,
  thresholds: [levelOf('warning', 80), levelOf('critical', 95, { duration_minutes: 0 })],
};

/** Each step of a test case: minute, value, the state after the value, its severity, and the transition. */
const ROWS: [name: string, fields: Partial<RuleDefinition>, story: string][] = [
  ['a value below all thresholds', NOW, '0 10 inactive -'],
  ['the mild one fires alone', NOW, '0 85 firing warning fired'],
  ['the worst that holds fires', NOW, '0 97 firing critical fired'],
  ['it gets worse', NOW, '0 85 firing warning fired, 1 97 firing critical escalated'],
  ['it eases', NOW, '0 97 firing critical fired, 1 85 firing warning eased'],
  [
    'it ends with the last',
    NOW,
    '0 97 firing critical fired, 1 85 firing warning eased, 2 10 inactive - resolved',
  ],
  ['all end at once', NOW, '0 97 firing critical fired, 1 10 inactive - resolved'],
  [
    'each waits for its own duration',
    LATER,
    '0 85 pending warning pending, 1 96 firing critical fired, 2 85 pending warning resolved pending, 5 85 firing warning fired',
  ],
  [
    'what is still severe keeps the alert that severe while it recovers',
    KEEP,
    '0 97 firing critical fired, 1 85 firing critical, 6 85 firing warning eased, 7 10 recovering warning recovering, ' +
      '8 85 firing warning refired, 9 10 recovering warning recovering, 14 10 inactive - resolved',
  ],
  [
    'pending restarts after a gap',
    { ...TWO, duration_minutes: 5 },
    '0 85 pending warning pending, 10 85 pending warning cleared pending, 15 85 firing warning fired',
  ],
  [
    'a pending one is cleared',
    { ...TWO, duration_minutes: 5 },
    '0 85 pending warning pending, 1 5 inactive - cleared',
  ],
];

function step(
  rule: CompiledRule,
  state: AlertInstanceState | null,
  last: number | null,
  time: number,
  value: number,
) {
  const verdict = evaluate(rule, state, last, time, value, MINUTE_MS);
  return { next: verdict === null ? state : verdict.next, transitions: verdict?.transitions ?? [] };
}

describe('several thresholds', () => {
  test.each(ROWS)('%s', (_, fields, story) => {
    const rule = ruleOf(fields);
    let state: AlertInstanceState | null = null;
    let last: number | null = null;
    for (const line of story.split(', ')) {
      const [minute, value, wanted, severity, ...transitions] = line.split(' ');
      const time = Number(minute) * MINUTE_MS;
      const evaluated = step(rule, state, last, time, Number(value));
      state = evaluated.next;
      last = time;
      const is = { state: state?.state ?? 'inactive', severity: state?.severity ?? '-' };
      expect({ minute, ...is, transitions: evaluated.transitions }).toEqual({
        minute,
        state: wanted,
        severity,
        transitions,
      });
    }
  });

  test('an alert lasts exactly as long as one of its thresholds evaluated alone, and is as severe as the worst', () => {
    const minutes = fc.constantFrom(0, 2, 5);
    const samples = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 7 }), value: fc.constantFrom(10, 85, 90, 97) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(minutes, minutes, minutes, samples, (warn, crit, keep, steps) => {
        const shared = { keep_firing_minutes: keep };
        const together = ruleOf({
          ...shared,
          threshold: null,
          thresholds: [
            levelOf('warning', 80, { duration_minutes: warn }),
            levelOf('critical', 95, { duration_minutes: crit }),
          ],
        });
        const alone = [
          ruleOf({ ...shared, severity: 'critical', threshold: 95, duration_minutes: crit }),
          ruleOf({ ...shared, severity: 'warning', threshold: 80, duration_minutes: warn }),
        ];
        let state: AlertInstanceState | null = null;
        const states: (AlertInstanceState | null)[] = [null, null];
        let last: number | null = null;
        let time = 0;
        for (const { after, value } of steps) {
          time += after * MINUTE_MS;
          state = step(together, state, last, time, value).next;
          for (const [i, rule] of alone.entries())
            states[i] = step(rule, states[i] ?? null, last, time, value).next;
          last = time;
          const active = states.filter((each) => each !== null && each.state !== 'pending');
          const worst = SEVERITIES.find((severity) => active.some((each) => each?.severity === severity));
          expect(state === null).toBe(states.every((each) => each === null));
          if (state === null) continue;
          expect(state.state !== 'pending').toBe(active.length > 0);
          if (worst !== undefined) expect(state.severity).toBe(worst);
          expect(state.state === 'firing').toBe(active.some((each) => each?.state === 'firing'));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a rule that gets a second threshold while it fires keeps its alert and when it began', () => {
    const plain = ruleOf({ duration_minutes: 0 });
    const fired = step(plain, null, null, MINUTE_MS, 97).next as AlertInstanceState;
    const evaluated = step(ruleOf({ ...NOW, severity: 'info' }), fired, MINUTE_MS, 2 * MINUTE_MS, 97);
    expect(evaluated.next).toMatchObject({
      state: 'firing',
      firedAt: MINUTE_MS,
      pendingSince: MINUTE_MS,
      severity: 'critical',
    });
    expect(evaluated.transitions).toEqual(['escalated']);
  });

  test('a rule that loses its second threshold while it fires keeps its alert', () => {
    const fired = step(ruleOf(NOW), null, null, MINUTE_MS, 97).next as AlertInstanceState;
    const plain = ruleOf({ duration_minutes: 30, severity: 'info' });
    expect(step(plain, fired, MINUTE_MS, 2 * MINUTE_MS, 97).next).toMatchObject({
      state: 'firing',
      firedAt: MINUTE_MS,
      severity: 'info',
      levels: null,
    });
  });
});

describe('overrides', () => {
  const rule = ruleOf({
    overrides: [
      overrideOf({ match: { hosts: ['db-*'] }, threshold: 97, duration_minutes: 1 }),
      overrideOf({ match: { tags: { env: 'test' } }, enabled: false }),
      overrideOf({ match: { hosts: ['*'], tags: { big: 'yes' } }, thresholds: TWO.thresholds }),
    ],
  });

  test('the first override that matches a host counts, and the rule sets what it leaves out', () => {
    expect(rule.forHost('db-1', { env: 'test' })?.levels[0]).toMatchObject({
      threshold: 97,
      durationMs: MINUTE_MS,
      severity: 'warning',
    });
    expect(rule.forHost('web-1', {})).toBe(rule);
    expect(rule.forHost('web-1', { env: 'test' })).toBeNull();
  });

  test('an override may have several thresholds where its rule has one', () => {
    const levels = rule.forHost('web-1', { big: 'yes' })?.levels.map(({ threshold }) => threshold);
    expect(levels).toEqual([95, 80]);
  });

  test('every caller gets the same effective rule of a host', () => {
    expect(rule.forHost('db-1', {})).toBe(rule.forHost('db-2', {}));
  });
});
