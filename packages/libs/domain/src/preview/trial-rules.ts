import type { CompiledRule } from '../rules/rule.ts';
import { type Cohort, cohortsOf } from './cohort.ts';
import { type Limits, limitsOf } from './limits.ts';

/** What evaluates the hosts of one override, or of none: a rule, and others that differ from it in threshold and duration. */
export class TrialRules {
  readonly own: CompiledRule;
  /** The own rule first. */
  readonly all: readonly [CompiledRule, ...CompiledRule[]];
  /** The others; the place of the first is 1. */
  readonly cohorts: readonly Cohort[];
  /** What values must stay within so that none of them begins; null where extremes do not decide that. */
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
