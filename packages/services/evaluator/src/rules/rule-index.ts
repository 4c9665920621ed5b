import type { Subject } from '@tidewatch/contracts/values/subject';
import { type CompiledRule, compileRule } from '@tidewatch/domain/alerting/rule';
import type { Queryable } from '@tidewatch/store/connection';
import { readRuleEndings, readRules, readRuleVersions } from '@tidewatch/store/rules/changes';
import { MetricRules, NO_METRIC_RULES } from './metric-rules.ts';

export type RuleEnding = 'rule_deleted' | 'rule_disabled' | 'rule_changed';

/**
 * How far behind a request may be judged and still be held against the time of a rule, ms: a gateway whose clock is farther
 * behind must not keep a new rule from judging.
 */
const COMPARED_WITHIN_MS = 30_000;
const NO_METRICS: readonly string[] = Object.freeze([]);

interface IndexedRule {
  compiled: CompiledRule;
  createdAt: number;
  /** From when on it judges: its making, or that it was enabled again while this process knew the others. */
  since: number;
  /** Whether it judged anything before this process knew it. */
  evaluated: boolean;
  /** Whether states may stem from what the rule was before its last edit. */
  editedSince: boolean;
}

/** The rules that judge, by organization and metric. `generation` grows with every change. */
export class RuleIndex {
  generation = 0;
  /** Rules that do something when their data stay away, whatever their organization. */
  watchingData: readonly CompiledRule[] = [];
  /** When the youngest began to judge, ms. */
  youngestSince = Number.NEGATIVE_INFINITY;
  #revision: number | undefined;
  #rules = new Map<string, IndexedRule>();
  #byMetric = new Map<string, Map<string, MetricRules>>();
  #subjectMetrics = new Map<string, string[]>();
  readonly #endings = new Map<string, RuleEnding>();

  get size(): number {
    return this.#rules.size;
  }

  get(id: string): IndexedRule | undefined {
    return this.#rules.get(id);
  }

  /** Whether a request that is judged now had arrived before there was the rule: then it is none of the rule's. */
  isYoungerThan(ruleId: string, receivedAt: number, now: number): boolean {
    const since = this.#rules.get(ruleId)?.since ?? Number.NEGATIVE_INFINITY;
    return receivedAt < since && since <= now && since - receivedAt <= COMPARED_WITHIN_MS;
  }

  /** What judges a metric, and what is derived from it. */
  forMetric(organizationId: string, metric: string): MetricRules {
    return this.#byMetric.get(organizationId)?.get(metric) ?? NO_METRIC_RULES;
  }

  /** The metrics of this kind of subject that some rule judges. */
  metricsOf(organizationId: string, kind: Subject['kind']): readonly string[] {
    return this.#subjectMetrics.get(`${organizationId}/${kind}`) ?? NO_METRICS;
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
      const { createdAt, updatedAt, evaluated, editedSince } = rule;
      const known = this.#rules.get(rule.id)?.since;
      const since = known ?? (first ? createdAt : Math.max(createdAt, updatedAt));
      this.youngestSince = Math.max(this.youngestSince, since);
      this.#endings.delete(rule.id);
      this.#rules.set(rule.id, { compiled: compileRule(rule), createdAt, since, evaluated, editedSince });
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
    this.watchingData = compiled.filter((rule) => rule.noData.policy !== 'keep_state');
    this.#byMetric = new Map();
    this.#subjectMetrics = new Map();
    for (const [organizationId, owned] of Map.groupBy(compiled, (rule) => rule.organizationId)) {
      const metrics = [...Map.groupBy(owned, (rule) => rule.metric)];
      const byMetric = metrics.map(([metric, rules]): [string, MetricRules] => [
        metric,
        new MetricRules(rules),
      ]);
      this.#byMetric.set(organizationId, new Map(byMetric));
      for (const [kind, rules] of Map.groupBy(owned, (rule) => rule.subjectKind))
        this.#subjectMetrics.set(`${organizationId}/${kind}`, [...new Set(rules.map((rule) => rule.metric))]);
    }
  }
}
