import type { CompiledRule } from '../alerting/rule.ts';
import { type Cohort, cohortsOf } from './cohort.ts';

/** What judges the hosts of one override, or of none: a rule, and others that differ from it in threshold and duration. */
export class TrialRules {
  readonly own: CompiledRule;
  /** The own rule first. */
  readonly all: readonly [CompiledRule, ...CompiledRule[]];
  /** The others; the place of the first is 1. */
  readonly cohorts: readonly Cohort[];

  constructor(own: CompiledRule, others: readonly CompiledRule[] = []) {
    this.own = own;
    this.all = [own, ...others];
    this.cohorts = cohortsOf(others).map(({ rules, places }) => ({
      rules,
      places: places.map((place) => place + 1),
    }));
  }
}
