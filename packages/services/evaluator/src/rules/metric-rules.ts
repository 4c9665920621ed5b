import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { NO_RULES, RuleSet, type Tags } from './rule-set.ts';

/** Rules of one metric of an organization: those on samples, and those on values derived from them. */
export class MetricRules {
  readonly rules: readonly CompiledRule[];
  readonly samples: RuleSet;
  /** Rules on values derived from the metric, by stream key. */
  readonly derived: ReadonlyMap<string, RuleSet>;
  /** Whether every rule applies to every host without an override. */
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

  /**
   * Matches a host, or a part of it, with the rules, yielding to the event loop. Call this before `matching` of one of the sets, which is
   * fast afterwards.
   */
  async match(host: string, tags: Tags, part: MatchedPart | null, turn: Turn): Promise<void> {
    if (this.isForAllHosts) return;
    await this.samples.match(host, tags, part, turn);
    for (const set of this.derived.values()) await set.match(host, tags, part, turn);
  }
}

/** Returns the rules of a metric; `former` if none of them has changed, so that nothing is compiled again. */
export function metricRulesOf(rules: readonly CompiledRule[], former: MetricRules | undefined): MetricRules {
  const isSame =
    former?.rules.length === rules.length && rules.every((rule, place) => rule === former.rules[place]);
  return former !== undefined && isSame ? former : new MetricRules(rules);
}

export const NO_METRIC_RULES = new MetricRules([]);
