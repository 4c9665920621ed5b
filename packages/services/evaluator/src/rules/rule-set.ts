import type { CompiledLevel } from '@tidewatch/domain/alerting/level';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';

/** How many parts of one set are offered for sharing: tags may change as often as they like. */
const MAX_PARTS = 1_000;

/**
 * Rules that judge a stream; all streams that the same rules judge share one. While no pair of a stream is active, a
 * value strictly between `quietAbove` and `quietBelow` breaches none of the rules.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[];
  /** Whether some of them do something when their data stay away. */
  readonly watchesData: boolean;
  readonly quietAbove: number;
  readonly quietBelow: number;
  /** The epoch in which it was last noted that they judged something. */
  notedIn = -1;
  readonly #isForAllHosts: boolean;
  readonly #parts = new Map<string, RuleSet>();
  readonly #variants: Map<CompiledRule, number>[] = [];

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    this.#isForAllHosts = rules.every((rule) => rule.isForAllHosts);
    this.watchesData = rules.some((rule) => rule.noData.policy !== 'keep_state');
    const bounds = rules.flatMap((rule) => rule.levels.map(quietBounds));
    this.quietAbove = Math.max(...bounds.map(([above]) => above));
    this.quietBelow = Math.min(...bounds.map(([, below]) => below));
  }

  /** Those of the rules that take the host in, each as it is for that host. */
  matching(host: string, tags: Readonly<Record<string, string>>): RuleSet {
    if (this.#isForAllHosts) return this;
    const wanted = this.rules.map((rule) => rule.forHost(host, tags));
    if (wanted.every((rule, index) => rule === this.rules[index])) return this;
    const key = String.fromCharCode(...wanted.map((rule, index) => this.#variantOf(rule, index)));
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = new RuleSet(wanted.filter((rule) => rule !== null));
      if (this.#parts.size === MAX_PARTS) this.#parts.clear();
      this.#parts.set(key, part);
    }
    return part;
  }

  /** A number for each form that a rule takes for hosts; 0 leaves them out. */
  #variantOf(rule: CompiledRule | null, index: number): number {
    if (rule === null) return 0;
    this.#variants[index] ??= new Map();
    const known = this.#variants[index].get(rule);
    if (known !== undefined) return known;
    const next = this.#variants[index].size + 1;
    this.#variants[index].set(rule, next);
    return next;
  }
}

export const NO_RULES = new RuleSet([]);

/** The bounds themselves never pass, so that it does not matter whether a condition includes them. */
function quietBounds({ condition, threshold, thresholdMax }: CompiledLevel): [above: number, below: number] {
  switch (condition) {
    case 'greater_than':
    case 'greater_than_or_equal':
    case 'equal':
    case 'between':
      return [Number.NEGATIVE_INFINITY, threshold];
    case 'less_than':
    case 'less_than_or_equal':
      return [threshold, Number.POSITIVE_INFINITY];
    case 'not_equal':
    case 'not_between':
      return [threshold, thresholdMax ?? threshold];
  }
}
