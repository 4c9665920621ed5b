import type { CompiledRule } from '@tidewatch/domain/alerting/rule';

/** How many parts of one set are offered for sharing: tags may change as often as they like. */
const MOST_PARTS = 1_000;

/**
 * Rules that judge a stream; all streams that the same rules judge share one. While no pair of a stream is active, a
 * value strictly between `quietAbove` and `quietBelow` breaches none of the rules.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[];
  readonly quietAbove: number;
  readonly quietBelow: number;
  readonly #parts = new Map<string, RuleSet>();

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    const bounds = rules.map(quietBounds);
    this.quietAbove = Math.max(...bounds.map(([above]) => above));
    this.quietBelow = Math.min(...bounds.map(([, below]) => below));
  }

  /** Those of the rules that take the host in. */
  matching(host: string, tags: Readonly<Record<string, string>>): RuleSet {
    const wanted = this.rules.map((rule) => rule.matches(host, tags));
    if (wanted.every(Boolean)) return this;
    const key = wanted.map(Number).join('');
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = new RuleSet(this.rules.filter((_, index) => wanted[index]));
      if (this.#parts.size === MOST_PARTS) this.#parts.clear();
      this.#parts.set(key, part);
    }
    return part;
  }
}

export const NO_RULES = new RuleSet([]);

/** The bounds themselves never pass, so that it does not matter whether a condition includes them. */
function quietBounds({ condition, threshold, thresholdMax }: CompiledRule): [above: number, below: number] {
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
