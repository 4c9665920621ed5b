import type { CompiledRule } from '../rules/rule.ts';
import { type Cohort, cohortsOf } from './cohort.ts';
import { type Limits, limitsOf } from './limits.ts';

/** The rules that a preview evaluates on the same hosts: one rule, and candidates with another threshold or duration. */
export class TrialRules {
  readonly own: CompiledRule;
  readonly all: readonly [CompiledRule, ...CompiledRule[]];
  /** The candidates in cohorts; their indexes start at 1, because 0 is the rule itself. */
  readonly cohorts: readonly Cohort[];
  /** Limits of values outside of which no rule is breached; null if minimum and maximum of the samples cannot show that. */
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

  /** Whether a sample or minute may breach one of the rules. */
  mayBreach(least: number, greatest: number, mean: number): boolean {
    if (this.limits === null) return true;
    const { low, high, outside } = this.limits;
    const [bottom, top] = [Math.min(least, mean), Math.max(greatest, mean)];
    return outside ? bottom < low || top > high : top >= low && bottom <= high;
  }
}
