import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { NO_RULES, RuleSet } from './rule-set.ts';

/** What judges one metric of an organization: rules of the samples, and rules of values derived from them. */
export class MetricRules {
  readonly samples: RuleSet;
  /** By the key of the derived stream. */
  readonly derived: ReadonlyMap<string, RuleSet>;

  constructor(rules: readonly CompiledRule[]) {
    const plain = rules.filter((rule) => rule.transform === null);
    this.samples = plain.length === 0 ? NO_RULES : new RuleSet(plain);
    const derived = Map.groupBy(
      rules.filter((rule) => rule.transform !== null),
      (rule) => rule.streamKey,
    );
    this.derived = new Map([...derived].map(([key, alike]) => [key, new RuleSet(alike)]));
  }
}

export const NO_METRIC_RULES = new MetricRules([]);
