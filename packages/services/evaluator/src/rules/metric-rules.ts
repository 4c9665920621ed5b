import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { NO_RULES, RuleSet, type Tags } from './rule-set.ts';

/** What evaluates one metric of an organization: rules of the samples, and rules of values derived from them. */
export class MetricRules {
  readonly rules: readonly CompiledRule[];
  readonly samples: RuleSet;
  /** By the key of the derived stream. */
  readonly derived: ReadonlyMap<string, RuleSet>;
  /** Whether they are the same for every host. */
  readonly isForAllHosts: boolean;

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    const plain = rules.filter((rule) => rule.transform === null);
    this.samples = plain.length === 0 ? NO_RULES : new RuleSet(plain);
    const derived = Map.groupBy(
      rules.filter((rule) => rule.transform !== null),
      (rule) => rule.streamKey,
    );
    this.derived = new Map([...derived].map(([key, alike]) => [key, new RuleSet(alike)]));
    this.isForAllHosts = rules.every((rule) => rule.isForAllHosts);
  }

  /** Matches a host in turns of the event loop; to be done before `matching` of one of the sets, which is short then. */
  async match(host: string, tags: Tags, turn: Turn): Promise<void> {
    if (this.isForAllHosts) return;
    await this.samples.match(host, tags, turn);
    for (const set of this.derived.values()) await set.match(host, tags, turn);
  }
}

/** Those that evaluate a metric: `former` where they are the same, so that nothing has to be fitted to them anew. */
export function metricRulesOf(rules: readonly CompiledRule[], former: MetricRules | undefined): MetricRules {
  const isSame =
    former?.rules.length === rules.length && rules.every((rule, place) => rule === former.rules[place]);
  return former !== undefined && isSame ? former : new MetricRules(rules);
}

export const NO_METRIC_RULES = new MetricRules([]);
