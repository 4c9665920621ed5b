import { CONDITION_FACTS } from '@tidewatch/contracts/rules/condition';
import type { CompiledLevel } from '@tidewatch/domain/rules/level';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { Turn } from '@tidewatch/store/event-loop/turn';

/** Max number of cached subsets by matching rules of one set, since the tags of hosts may change without limit. */
const MAX_SUBSETS = 1_000;

export type Tags = Readonly<Record<string, string>>;

/**
 * Rules that evaluate a stream; streams with the same rules share one set. While no alert instance of a stream is
 * active, a value strictly between `quietAbove` and `quietBelow` breaches none of the rules.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[];
  /** Whether some of the rules act on missing data. */
  readonly watchesData: boolean;
  readonly quietAbove: number;
  readonly quietBelow: number;
  /** The number of the activity flush in which the evaluation of the rules was last recorded. */
  notedIn = -1;
  readonly #isForAllHosts: boolean;
  readonly #subsets = new Map<string, RuleSet>();
  readonly #variants: Map<CompiledRule, number>[] = [];
  /** The subset of the last host or part, since the containers of one host are compiled one after the other. */
  #last: { host: string; tags: Tags; part: MatchedPart | null; subset: RuleSet } | null = null;

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules;
    this.#isForAllHosts = rules.every((rule) => rule.isForAllHosts);
    this.watchesData = rules.some((rule) => rule.noData.policy !== 'keep_state');
    let quietAbove = Number.NEGATIVE_INFINITY;
    let quietBelow = Number.POSITIVE_INFINITY;
    for (const rule of rules) {
      for (const level of rule.levels) {
        const [above, below] = quietBounds(level);
        if (above > quietAbove) quietAbove = above;
        if (below < quietBelow) quietBelow = below;
      }
    }
    this.quietAbove = quietAbove;
    this.quietBelow = quietBelow;
  }

  /**
   * Matches the host, or a part of it, with the rules, yielding to the event loop, so that `matching` is fast: selectors may
   * have many patterns.
   */
  async match(host: string, tags: Tags, part: MatchedPart | null, turn: Turn): Promise<void> {
    if (this.#isForAllHosts || this.#lastFor(host, tags, part) !== null) return;
    const wanted: (CompiledRule | null)[] = [];
    for (const rule of this.rules) {
      wanted.push(rule.forSubject(host, tags, part));
      if (turn.isOver) await turn.yieldWhenDue();
    }
    this.#last = { host, tags, part, subset: this.#subsetOf(wanted) };
  }

  /** Returns the rules that match the host, or a part of it, with its overrides applied. */
  matching(host: string, tags: Tags, part: MatchedPart | null = null): RuleSet {
    if (this.#isForAllHosts) return this;
    const known = this.#lastFor(host, tags, part);
    if (known !== null) return known;
    const subset = this.#subsetOf(this.rules.map((rule) => rule.forSubject(host, tags, part)));
    this.#last = { host, tags, part, subset };
    return subset;
  }

  #lastFor(host: string, tags: Tags, part: MatchedPart | null): RuleSet | null {
    const last = this.#last;
    const isSame = last?.host === host && last.tags === tags && isSamePart(last.part, part);
    return isSame ? (last?.subset ?? null) : null;
  }

  #subsetOf(wanted: readonly (CompiledRule | null)[]): RuleSet {
    if (wanted.every((rule, index) => rule === this.rules[index])) return this;
    const key = String.fromCharCode(...wanted.map((rule, index) => this.#variantOf(rule, index)));
    let subset = this.#subsets.get(key);
    if (subset === undefined) {
      subset = new RuleSet(wanted.filter((rule) => rule !== null));
      if (this.#subsets.size === MAX_SUBSETS) this.#subsets.clear();
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  /** Returns a number for each variant of the rule (by override); 0 if the rule excludes the host. */
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

function isSamePart(a: MatchedPart | null, b: MatchedPart | null): boolean {
  return a === b || (a?.name === b?.name && a?.labels === b?.labels);
}

export const NO_RULES = new RuleSet([]);

/**
 * The bounds between which a value breaches no threshold. Values equal to a bound count as outside, so that inclusive
 * conditions need no special case.
 */
function quietBounds({ condition, threshold, thresholdMax }: CompiledLevel): [above: number, below: number] {
  switch (CONDITION_FACTS[condition].holds) {
    case 'above':
    case 'inside':
      return [Number.NEGATIVE_INFINITY, threshold];
    case 'below':
      return [threshold, Number.POSITIVE_INFINITY];
    case 'outside':
      return [threshold, thresholdMax ?? threshold];
  }
}
