import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { NO_RULES, RuleSet } from './rule-set.ts';

/** What judges one metric of an organization: rules of the samples, and rules of values derived from them. */
export class MetricRules {
  readonly rules: readonly CompiledRule[];
  readonly samples: RuleSet;
  /** By the key of the derived stream. */
  readonly derived: ReadonlyMap<string, RuleSet>;

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    const plain = rules.filter((rule) => rule.transform === null);
    this.samples = plain.length === 0 ? NO_RULES : new RuleSet(plain);
    const derived = Map.groupBy(
      rules.filter((rule) => rule.transform !== null),
      (rule) => rule.streamKey,
    );
    this.derived = new Map([...derived].map(([key, alike]) => [key, new RuleSet(alike)]));
  }
}

/** Those that judge a metric: `former` where they are the same, so that nothing has to be fitted to them anew. */
export function metricRulesOf(rules: readonly CompiledRule[], former: MetricRules | undefined): MetricRules {
  const isSame =
    former?.rules.length === rules.length && rules.every((rule, place) => rule === former.rules[place]);
  return former !== undefined && isSame ? former : new MetricRules(rules);
}

export const NO_METRIC_RULES = new MetricRules([]);
