import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { NO_RULES, RuleSet, type Tags } from './rule-set.ts';

/** The max number of names that are remembered of a metric. */
const MAX_NAMES = 10_000;

/** Rules of one metric of an organization: those on samples, and those on values derived from them. */
export class MetricRules {
  readonly rules: readonly CompiledRule[];
  readonly samples: RuleSet;
  /** Rules on values derived from the metric, by stream key. */
  readonly derived: ReadonlyMap<string, RuleSet>;
  /** Whether every rule applies to every host without an override. */
  readonly isForAllHosts: boolean;

  /** Whether some rule asks for some of the parts, containers or processes of a host. */
  readonly choosesSubjects: boolean;
  /** The names of containers or processes that rules on their presence expect on hosts. */
  readonly expected: readonly string[];
  /** Names of containers or processes, and whether some rule may be for them: most processes of a fleet have no rule. */
  readonly #names = new Map<string, boolean>();

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
    this.choosesSubjects = rules.some((rule) => rule.choosesSubjects);
    this.expected = [...new Set(rules.flatMap((rule) => rule.expected))];
  }

  /** Returns the rules on samples and on derived values that match a part, container or process of a host. */
  matching(host: string, tags: Tags, part: MatchedPart): CompiledRule[] {
    return [this.samples, ...this.derived.values()].flatMap((set) => set.matching(host, tags, part).rules);
  }

  /** Whether some rule may be for a container or process of this name, on some host. */
  mayEvaluate(name: string): boolean {
    if (!this.choosesSubjects) return true;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size === MAX_NAMES) this.#names.clear();
    const may = this.rules.some((rule) => rule.mayEvaluate(name));
    this.#names.set(name, may);
    return may;
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
