import type { Subject } from '@tidewatch/contracts/values/subject';
import { type CompiledRule, compileRule } from '@tidewatch/domain/alerting/rule';
import type { Queryable } from '@tidewatch/store/connection';
import {
  readRuleEndings,
  readRuleFingerprints,
  readRules,
  readRuleVersions,
  type StoredRule,
} from '@tidewatch/store/rules/changes';
import { type MetricRules, metricRulesOf, NO_METRIC_RULES } from './metric-rules.ts';

export type RuleEnding = 'rule_deleted' | 'rule_disabled' | 'rule_changed';

/**
 * How far behind a request may be judged and still be held against the time of a rule, ms: a gateway whose clock is farther
 * behind must not keep a new rule from judging.
 */
const COMPARED_WITHIN_MS = 30_000;
const SUBJECT_KINDS: readonly Subject['kind'][] = ['host', 'container', 'process'];
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

/** Rules that are read and compiled before the event loop gets its turn. */
const RULES_PER_TURN = 500;

/** The rules that judge, by organization and metric. What others do not change of stays as it is. */
export class RuleIndex {
  /** Rules that do something when their data stay away, whatever their organization. */
  watchingData: readonly CompiledRule[] = [];
  /** When the youngest began to judge, ms. */
  youngestSince = Number.NEGATIVE_INFINITY;
  #revision: number | undefined;
  #rules = new Map<string, IndexedRule>();
  #byMetric = new Map<string, Map<string, MetricRules>>();
  #subjectMetrics = new Map<string, string[]>();
  #fingerprints = new Map<string, string>();
  readonly #generations = new Map<string, number>();
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

  /** Grows with every change of the organization's rules. */
  generationOf(organizationId: string): number {
    return this.#generations.get(organizationId) ?? 0;
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
    const fingerprints = await readRuleFingerprints(sql);
    const organizations = new Set([...fingerprints.keys(), ...this.#fingerprints.keys()]);
    for (const id of organizations)
      if (fingerprints.get(id) === this.#fingerprints.get(id)) organizations.delete(id);
    const versions = await readRuleVersions(sql, [...organizations]);
    const alive = new Map(versions.map((rule) => [rule.id, rule.version]));
    const gone: string[] = [];
    for (const [id, { compiled }] of this.#rules)
      if (organizations.has(compiled.organizationId) && !alive.has(id)) gone.push(id);
    const changed = [...alive].filter(([id, version]) => this.#rules.get(id)?.compiled.version !== version);
    for (const [id, ending] of await readRuleEndings(sql, gone)) this.#endings.set(id, ending);
    for (const id of gone) this.#rules.delete(id);
    for (let start = 0; start < changed.length; start += RULES_PER_TURN) {
      const ids = changed.slice(start, start + RULES_PER_TURN).map(([id]) => id);
      for (const rule of await readRules(sql, ids)) this.#take(rule, first);
    }
    this.#indexByMetric(organizations);
    for (const id of organizations) this.#generations.set(id, this.generationOf(id) + 1);
    this.#fingerprints = fingerprints;
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

  #take(rule: StoredRule, first: boolean): void {
    const { createdAt, updatedAt, evaluated, editedSince } = rule;
    const known = this.#rules.get(rule.id)?.since;
    const since = known ?? (first ? createdAt : Math.max(createdAt, updatedAt));
    this.youngestSince = Math.max(this.youngestSince, since);
    this.#endings.delete(rule.id);
    this.#rules.set(rule.id, { compiled: compileRule(rule), createdAt, since, evaluated, editedSince });
  }

  #indexByMetric(organizations: ReadonlySet<string>): void {
    const watching: CompiledRule[] = [];
    const owned = new Map<string, CompiledRule[]>([...organizations].map((id) => [id, []]));
    for (const { compiled } of this.#rules.values()) {
      if (compiled.noData.policy !== 'keep_state') watching.push(compiled);
      owned.get(compiled.organizationId)?.push(compiled);
    }
    this.watchingData = watching;
    for (const [organizationId, rules] of owned) {
      const former = this.#byMetric.get(organizationId);
      const byMetric = new Map<string, MetricRules>();
      for (const [metric, own] of Map.groupBy(rules, (rule) => rule.metric))
        byMetric.set(metric, metricRulesOf(own, former?.get(metric)));
      this.#byMetric.set(organizationId, byMetric);
      const byKind = Map.groupBy(rules, (rule) => rule.subjectKind);
      for (const kind of SUBJECT_KINDS) {
        const metrics = new Set(byKind.get(kind)?.map((rule) => rule.metric));
        this.#subjectMetrics.set(`${organizationId}/${kind}`, [...metrics]);
      }
    }
  }
}
