import { isPresence } from '@tidewatch/contracts/rules/rule-metric';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { type MetricRules, metricRulesOf, NO_METRIC_RULES } from './metric-rules.ts';

/** Metrics of parts with a rule: by kind, the metric as the rule names it by the metric as parts send it. */
export type PartMetrics = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Kinds of parts with a rule that matches labels. */
export type LabelledKinds = ReadonlySet<string>;

const NO_METRICS: readonly string[] = Object.freeze([]);

/** The enabled rules of one organization, by metric, as of the last call of `index`. */
export class OrganizationRules {
  readonly rules = new Map<string, CompiledRule>();
  /** Rules that act on missing data. */
  watchingData: readonly CompiledRule[] = [];
  /** Number of calls of `index`. */
  generation = 0;
  #byMetric: ReadonlyMap<string, MetricRules> = new Map();
  #metrics: ReadonlyMap<Subject['kind'], readonly string[]> = new Map();
  /** The metrics of parts that have a rule. */
  partMetrics: PartMetrics = new Map();
  labelledKinds: LabelledKinds = new Set();

  /** Returns the rules of a metric and of values derived from it. */
  forMetric(metric: string): MetricRules {
    return this.#byMetric.get(metric) ?? NO_METRIC_RULES;
  }

  /** Returns the metrics of this kind of subject that have a rule, without those that say whether something is there. */
  metricsOf(kind: Subject['kind']): readonly string[] {
    return this.#metrics.get(kind) ?? NO_METRICS;
  }

  /**
   * Builds the index by metric; must be called after `rules` have changed. Keeps the compiled sets of unchanged metrics.
   */
  async index(turn: Turn): Promise<void> {
    const watching: CompiledRule[] = [];
    const rulesOf = new Map<string, CompiledRule[]>();
    const metrics = new Map<Subject['kind'], string[]>();
    const partMetrics = new Map<string, Map<string, string>>();
    const labelledKinds = new Set<string>();
    for (const rule of this.rules.values()) {
      if (rule.noData.policy !== 'keep_state') watching.push(rule);
      if (rule.partMetric !== null && rule.matchesLabels) labelledKinds.add(rule.partMetric.kind);
      const alike = rulesOf.get(rule.metric);
      if (alike !== undefined) alike.push(rule);
      else {
        rulesOf.set(rule.metric, [rule]);
        addPartMetric(partMetrics, rule);
        if (isPresence(rule.metric)) continue;
        const ofKind = metrics.get(rule.subjectKind);
        if (ofKind === undefined) metrics.set(rule.subjectKind, [rule.metric]);
        else ofKind.push(rule.metric);
      }
      if (turn.isOver) await turn.yieldWhenDue();
    }
    const byMetric = new Map<string, MetricRules>();
    for (const [metric, rules] of rulesOf) {
      byMetric.set(metric, metricRulesOf(rules, this.#byMetric.get(metric)));
      if (turn.isOver) await turn.yieldWhenDue();
    }
    this.watchingData = watching;
    this.#byMetric = byMetric;
    this.#metrics = metrics;
    this.partMetrics = partMetrics;
    this.labelledKinds = labelledKinds;
    this.generation += 1;
  }
}

function addPartMetric(metrics: Map<string, Map<string, string>>, rule: CompiledRule): void {
  if (rule.partMetric === null) return;
  const { kind, metric } = rule.partMetric;
  const ofKind = metrics.get(kind);
  if (ofKind === undefined) metrics.set(kind, new Map([[metric, rule.metric]]));
  else ofKind.set(metric, rule.metric);
}
