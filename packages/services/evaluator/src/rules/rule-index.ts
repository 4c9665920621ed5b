import { type CompiledRule, compileRule } from '@tidewatch/domain/alerting/rule';
import type { Queryable } from '@tidewatch/store/connection';
import { readRuleEndings, readRules, readRuleVersions } from '@tidewatch/store/rules/changes';
import { NO_RULES, RuleSet } from './rule-set.ts';

export type RuleEnding = 'rule_deleted' | 'rule_disabled' | 'rule_changed';

interface IndexedRule {
  compiled: CompiledRule;
  createdAt: number;
  /** Whether it judged anything before this process knew it. */
  evaluated: boolean;
  /** Whether states may stem from what the rule was before its last edit. */
  editedSince: boolean;
}

/** The rules that judge, by organization and metric. `generation` grows with every change. */
export class RuleIndex {
  generation = 0;
  #revision: number | undefined;
  #rules = new Map<string, IndexedRule>();
  #byMetric = new Map<string, Map<string, RuleSet>>();
  readonly #endings = new Map<string, RuleEnding>();

  get size(): number {
    return this.#rules.size;
  }

  get(id: string): IndexedRule | undefined {
    return this.#rules.get(id);
  }

  forMetric(organizationId: string, metric: string): RuleSet {
    return this.#byMetric.get(organizationId)?.get(metric) ?? NO_RULES;
  }

  /** Why the rule no longer judges a subject that it judged before. */
  endingOf(ruleId: string): RuleEnding {
    return this.#rules.has(ruleId) ? 'rule_changed' : (this.#endings.get(ruleId) ?? 'rule_deleted');
  }

  /**
   * Reads what changed, if the revision did. Answers the ids of rules that are new, edited or gone;
   * `all` after the first reading, undefined where nothing changed.
   */
  async refresh(sql: Queryable, revision: number): Promise<readonly string[] | 'all' | undefined> {
    if (revision === this.#revision) return undefined;
    const first = this.#revision === undefined;
    const alive = new Map((await readRuleVersions(sql)).map((rule) => [rule.id, rule.version]));
    const gone = [...this.#rules.keys()].filter((id) => !alive.has(id));
    const changed = [...alive].filter(([id, version]) => this.#rules.get(id)?.compiled.version !== version);
    const stored = await readRules(
      sql,
      changed.map(([id]) => id),
    );
    for (const [id, ending] of await readRuleEndings(sql, gone)) this.#endings.set(id, ending);
    for (const id of gone) this.#rules.delete(id);
    for (const rule of stored) {
      const { createdAt, evaluated, editedSince } = rule;
      this.#endings.delete(rule.id);
      this.#rules.set(rule.id, { compiled: compileRule(rule), createdAt, evaluated, editedSince });
    }
    this.#indexByMetric();
    this.generation += 1;
    this.#revision = revision;
    return first ? 'all' : [...gone, ...changed.map(([id]) => id)];
  }

  /** Rules that states still name though they no longer judge: compiled, so that their alerts can be ended. */
  async readEnded(sql: Queryable, ids: readonly string[]): Promise<Map<string, CompiledRule>> {
    const ended = new Map<string, CompiledRule>();
    for (const rule of await readRules(sql, ids)) ended.set(rule.id, compileRule(rule));
    for (const [id, ending] of await readRuleEndings(sql, ids)) this.#endings.set(id, ending);
    return ended;
  }

  #indexByMetric(): void {
    const compiled = [...this.#rules.values()].map((rule) => rule.compiled);
    this.#byMetric = new Map();
    for (const [organizationId, owned] of Map.groupBy(compiled, (rule) => rule.organizationId)) {
      const metrics = [...Map.groupBy(owned, (rule) => rule.metric)];
      const sets = metrics.map(([metric, rules]): [string, RuleSet] => [metric, new RuleSet(rules)]);
      this.#byMetric.set(organizationId, new Map(sets));
    }
  }
}
