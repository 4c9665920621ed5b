import type { CompiledRule } from '../rules/rule.ts';
import { type Cohort, cohortsOf } from './cohort.ts';
import { type Limits, limitsOf } from './limits.ts';

/** The rules that a preview tries on the same hosts: one rule, and variants with another threshold or duration. */
export class TrialRules {
  readonly own: CompiledRule;
  /** All rules that are tried; the previewed rule comes first. */
  readonly all: readonly [CompiledRule, ...CompiledRule[]];
  /** The variants of the rule in cohorts; their places count from 1, because place 0 is the rule itself. */
  readonly cohorts: readonly Cohort[];
  /** The range in which no rule is breached; null if minimum and maximum of the values do not decide that. */
  readonly limits: Limits | null;

  constructor(own: CompiledRule, others: readonly CompiledRule[] = []) {
    this.own = own;
    this.all = [own, ...others];
    this.cohorts = cohortsOf(others).map(({ rules, places }) => ({
      rules,
      places: places.map((place) => place + 1),
    }));
    this.limits = limitsOf(this.all);
  }

  /** Whether one of the values may breach one of the rules. */
  mayBreach(least: number, greatest: number, mean: number): boolean {
    if (this.limits === null) return true;
    const { low, high, outside } = this.limits;
    const [bottom, top] = [Math.min(least, mean), Math.max(greatest, mean)];
    return outside ? bottom < low || top > high : top >= low && bottom <= high;
  }
}
