import type { Condition } from '@tidewatch/contracts/rules/condition';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompiledRule, compileRule } from '../rules/rule.ts';
import { candidatesOf } from './candidates.ts';
import { cohortsOf } from './cohort.ts';
import { Trial } from './trial.ts';
import { TrialRules } from './trial-rules.ts';

/**
 * One input of a stream, `after` seconds after the previous one: a sample or a minute, or (if `missing`) a payload without
 * the metric.
 */
type Step = { after: number; missing: boolean; values: [least: number, greatest: number, mean: number] };

const figures = fc
  .record({ least: fc.integer({ min: 0, max: 20 }), spread: fc.constantFrom(0, 0, 0, 1, 3, 12) })
  .chain(({ least, spread }) =>
    fc.integer({ min: 0, max: spread }).map((within) => [least, least + spread, least + within]),
  );

/** Streams whose values mostly stay on one side of the threshold for a while, so that durations pass. */
const steps = fc
  .array(
    fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      after: fc.constantFrom(10, 60, 60, 60, 110, 290, 310, 2_000),
      missing: fc.constantFrom(false, false, false, false, true),
      values: figures,
    }),
    { minLength: 4, maxLength: 30 },
  )
  .map((spells) => spells.flatMap(({ count, ...step }) => Array.from({ length: count }, () => step as Step)));

const rule = fc
  .record({
    condition: fc.constantFrom<Condition[]>(
      ...(['greater_than', 'greater_than_or_equal', 'less_than', 'between', 'not_between', 'equal'] as const),
    ),
    keep_firing_minutes: fc.constantFrom(0, 0, 1, 5, 40),
    duration_minutes: fc.constantFrom(0, 1, 3, 7),
    recovers: fc.boolean(),
    averaged: fc.constantFrom(false, false, true),
    override: fc.constantFrom(null, null, { threshold: 11 }, { duration_minutes: 2 }),
  })
  .map(({ condition, recovers, averaged, override, ...more }): RuleDefinition => {
    const ranged = condition === 'between' || condition === 'not_between';
    const directed = !ranged && condition !== 'equal';
    const recovery = condition === 'less_than' ? 14 : 7;
    return definitionOf({
      ...more,
      condition,
      threshold: 10,
      threshold_max: ranged ? 15 : null,
      recovery_threshold: directed && recovers ? recovery : null,
      transform: averaged ? { kind: 'average', over_minutes: 2 } : null,
      overrides: override === null ? [] : [{ match: { hosts: ['*'] }, enabled: true, ...override } as never],
    });
  });

/** The number of alerts of each rule, in the order of the rules. */
function fired(rules: TrialRules, stream: readonly Step[]): number[] {
  const counts = rules.all.map(() => 0);
  const trial = new Trial(rules, {
    fired: (place) => {
      counts[place] = (counts[place] as number) + 1;
    },
    alert: () => undefined,
  });
  let time = 0;
  for (const { after, missing, values } of stream) {
    time += after * 1_000;
    if (missing) trial.miss(time);
    else trial.take(time, ...values, 0);
  }
  trial.finish();
  return counts;
}

function compiled(definition: RuleDefinition): CompiledRule {
  const all = compileRule({ id: '', organizationId: '', version: 1, definition });
  return all.forHost('any', {}) as CompiledRule;
}

test('rules that are evaluated as a cohort fire as often as each does alone', () => {
  let alerts = 0;
  let apart = 0;
  fc.assert(
    fc.property(
      rule,
      fc.uniqueArray(fc.integer({ min: 8, max: 14 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(0, 0, 1, 2, 3, 5, 10, 30), { minLength: 1, maxLength: 6 }),
      steps,
      (definition, thresholds, durations, stream) => {
        const rules = [
          definition,
          ...candidatesOf(definition, thresholds, durations).map((candidate) => candidate.definition),
        ].map(compiled);
        const [own, ...others] = rules as [CompiledRule, ...CompiledRule[]];
        const alone = rules.map((each) => fired(new TrialRules(each), stream)[0]);
        expect(fired(new TrialRules(own, others), stream)).toEqual(alone);
        alerts += alone.reduce<number>((sum, count) => sum + (count ?? 0), 0);
        apart += Number(new Set(alone).size > 1);
      },
    ),
    { numRuns: 600, seed: 67 },
  );
  expect(alerts).toBeGreaterThan(3_000);
  expect(apart).toBeGreaterThan(150);
});

test('rules with the same threshold form one cohort, the shortest duration first', () => {
  const definition = definitionOf({ threshold: 90, duration_minutes: 5 });
  const rules = candidatesOf(definition, [80, 95], [10, 1]).map((candidate) =>
    compiled(candidate.definition),
  );
  expect(cohortsOf(rules).map(({ places }) => places)).toEqual([
    [1, 0],
    [3, 2],
  ]);
});
