import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import { type CompiledRule, compileRule } from '@tidewatch/domain/rules/rule';
import { Turn } from '@tidewatch/store/event-loop/turn';
import {
  readRuleEndings,
  readRuleFingerprints,
  readRules,
  readRuleVersions,
  type StoredRule,
} from '@tidewatch/store/rules/changes';
import { type MetricRules, NO_METRIC_RULES } from './metric-rules.ts';
import { type LabelledKinds, OrganizationRules, type PartMetrics } from './organization-rules.ts';

export type RuleEnding = 'rule_deleted' | 'rule_disabled' | 'rule_changed';

/**
 * Max age of a request that is compared with the creation of a rule, ms: a gateway with a clock further behind must not
 * keep a new rule from being evaluated.
 */
const COMPARED_WITHIN_MS = 30_000;
const NO_METRICS: readonly string[] = Object.freeze([]);
const NO_PART_METRICS: PartMetrics = new Map();
const NO_KINDS: LabelledKinds = new Set();

interface IndexedRule {
  compiled: CompiledRule;
  createdAt: number;
  /** When the evaluation of the rule begins: when it was created, or enabled again while this process ran. */
  since: number;
  /** Whether the rule had been evaluated before this process read it. */
  evaluated: boolean;
  /** Whether stored states may be older than the last edit of the rule. */
  editedSince: boolean;
}

/** The number of rules read by one query, since their definitions may be large. */
const RULES_AT_ONCE = 250;

/** The enabled rules by organization and metric. A change of some rules keeps the compiled sets of other metrics. */
export class RuleIndex {
  /** Rules of all organizations that act on missing data. */
  watchingData: readonly CompiledRule[] = [];
  /** When the evaluation of the newest rule began, ms. */
  youngestSince = Number.NEGATIVE_INFINITY;
  #revision: number | undefined;
  readonly #rules = new Map<string, IndexedRule>();
  readonly #organizations = new Map<string, OrganizationRules>();
  #fingerprints: ReadonlyMap<string, string> = new Map();
  readonly #endings = new Map<string, RuleEnding>();
  /** Ids of changed rules that a failed refresh has not returned to its caller. */
  readonly #unanswered = new Set<string>();

  get size(): number {
    return this.#rules.size;
  }

  get(id: string): IndexedRule | undefined {
    return this.#rules.get(id);
  }

  /** Whether the request arrived before the rule existed, so that the rule does not evaluate it. */
  isYoungerThan(ruleId: string, receivedAt: number, now: number): boolean {
    const since = this.#rules.get(ruleId)?.since ?? Number.NEGATIVE_INFINITY;
    return receivedAt < since && since <= now && since - receivedAt <= COMPARED_WITHIN_MS;
  }

  /** Returns the rules of a metric and of values derived from it. */
  forMetric(organizationId: string, metric: string): MetricRules {
    return this.#organizations.get(organizationId)?.forMetric(metric) ?? NO_METRIC_RULES;
  }

  /** Returns the metrics of this kind of subject that have a rule. */
  metricsOf(organizationId: string, kind: Subject['kind']): readonly string[] {
    return this.#organizations.get(organizationId)?.metricsOf(kind) ?? NO_METRICS;
  }

  /** Returns the metrics of parts that have a rule. */
  partMetricsOf(organizationId: string): PartMetrics {
    return this.#organizations.get(organizationId)?.partMetrics ?? NO_PART_METRICS;
  }

  /** Returns the kinds of parts with a rule that matches labels. */
  labelledKindsOf(organizationId: string): LabelledKinds {
    return this.#organizations.get(organizationId)?.labelledKinds ?? NO_KINDS;
  }

  /** Returns a number that grows with every change of the organization’s rules. */
  generationOf(organizationId: string): number {
    return this.#organizations.get(organizationId)?.generation ?? 0;
  }

  /** Returns why the rule no longer evaluates a subject. */
  endingOf(ruleId: string): RuleEnding {
    return this.#rules.has(ruleId) ? 'rule_changed' : (this.#endings.get(ruleId) ?? 'rule_deleted');
  }

  /**
   * Reads changed rules if the revision changed, yielding to the event loop. Returns the ids of new, edited and deleted
   * rules; `all` at the first call, undefined without a change.
   */
  async refresh(sql: Queryable, revision: number): Promise<readonly string[] | 'all' | undefined> {
    if (revision === this.#revision) return undefined;
    const first = this.#revision === undefined;
    const turn = new Turn();
    const fingerprints = await readRuleFingerprints(sql);
    const changed = [...new Set([...fingerprints.keys(), ...this.#fingerprints.keys()])].filter(
      (id) => fingerprints.get(id) !== this.#fingerprints.get(id),
    );
    await this.#read(sql, changed, first, turn);
    for (const id of changed) await this.#of(id).index(turn);
    this.watchingData = [...this.#organizations.values()].flatMap((each) => each.watchingData);
    this.#fingerprints = fingerprints;
    this.#revision = revision;
    const answer = [...this.#unanswered];
    this.#unanswered.clear();
    return first ? 'all' : answer;
  }

  /** Reads and compiles deleted and disabled rules that stored states refer to, so that their alerts can end. */
  async readEnded(sql: Queryable, ids: readonly string[]): Promise<Map<string, CompiledRule>> {
    const ended = new Map<string, CompiledRule>();
    for (const rule of await readRules(sql, ids)) ended.set(rule.id, compileRule(rule));
    for (const [id, ending] of await readRuleEndings(sql, ids)) this.#endings.set(id, ending);
    return ended;
  }

  /** Reads the present rules of the organizations. */
  async #read(sql: Queryable, organizationIds: readonly string[], first: boolean, turn: Turn): Promise<void> {
    const alive = new Set<string>();
    const stale: string[] = [];
    for (const { id, version } of await readRuleVersions(sql, organizationIds)) {
      alive.add(id);
      if (this.#rules.get(id)?.compiled.version !== version) stale.push(id);
      if (turn.isOver) await turn.yieldWhenDue();
    }
    const gone: string[] = [];
    for (const organizationId of organizationIds) {
      for (const id of this.#of(organizationId).rules.keys()) {
        if (!alive.has(id)) gone.push(id);
        if (turn.isOver) await turn.yieldWhenDue();
      }
    }
    for (const id of [...gone, ...stale]) this.#unanswered.add(id);
    for (const [id, ending] of await readRuleEndings(sql, gone)) this.#endings.set(id, ending);
    for (const id of gone) this.#remove(id);
    for (let start = 0; start < stale.length; start += RULES_AT_ONCE) {
      for (const rule of await readRules(sql, stale.slice(start, start + RULES_AT_ONCE))) {
        this.#take(rule, first);
        if (turn.isOver) await turn.yieldWhenDue();
      }
    }
  }

  #take(rule: StoredRule, first: boolean): void {
    const { createdAt, updatedAt, evaluated, editedSince } = rule;
    const known = this.#rules.get(rule.id)?.since;
    const since = known ?? (first ? createdAt : Math.max(createdAt, updatedAt));
    const compiled = compileRule(rule);
    this.youngestSince = Math.max(this.youngestSince, since);
    this.#endings.delete(rule.id);
    this.#rules.set(rule.id, { compiled, createdAt, since, evaluated, editedSince });
    this.#of(rule.organizationId).rules.set(rule.id, compiled);
  }

  #remove(id: string): void {
    const organizationId = this.#rules.get(id)?.compiled.organizationId;
    this.#rules.delete(id);
    if (organizationId !== undefined) this.#of(organizationId).rules.delete(id);
  }

  #of(organizationId: string): OrganizationRules {
    const known = this.#organizations.get(organizationId);
    if (known !== undefined) return known;
    const rules = new OrganizationRules();
    this.#organizations.set(organizationId, rules);
    return rules;
  }
}
