import type { Subject } from '@tidewatch/contracts/values/subject';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { type MetricRules, metricRulesOf, NO_METRIC_RULES } from './metric-rules.ts';

const NO_METRICS: readonly string[] = Object.freeze([]);

/** The rules of one organization that are evaluated, by what they evaluate as of the last `index`. */
export class OrganizationRules {
  readonly rules = new Map<string, CompiledRule>();
  /** Those that do something when their data stay away. */
  watchingData: readonly CompiledRule[] = [];
  /** How often they were indexed. */
  generation = 0;
  #byMetric: ReadonlyMap<string, MetricRules> = new Map();
  #metrics: ReadonlyMap<Subject['kind'], readonly string[]> = new Map();

  /** What evaluates a metric, and what is derived from it. */
  forMetric(metric: string): MetricRules {
    return this.#byMetric.get(metric) ?? NO_METRIC_RULES;
  }

  /** The metrics of this kind of subject that some rule evaluates. */
  metricsOf(kind: Subject['kind']): readonly string[] {
    return this.#metrics.get(kind) ?? NO_METRICS;
  }

  /** To be called once `rules` have changed. What others do not change of stays as it is. */
  async index(turn: Turn): Promise<void> {
    const watching: CompiledRule[] = [];
    const rulesOf = new Map<string, CompiledRule[]>();
    const metrics = new Map<Subject['kind'], string[]>();
    for (const rule of this.rules.values()) {
      if (rule.noData.policy !== 'keep_state') watching.push(rule);
      const alike = rulesOf.get(rule.metric);
      if (alike !== undefined) alike.push(rule);
      else {
        rulesOf.set(rule.metric, [rule]);
        const ofKind = metrics.get(rule.subjectKind);
        if (ofKind === undefined) metrics.set(rule.subjectKind, [rule.metric]);
        else ofKind.push(rule.metric);
      }
      if (turn.isOver) await turn.give();
    }
    const byMetric = new Map<string, MetricRules>();
    for (const [metric, rules] of rulesOf) {
      byMetric.set(metric, metricRulesOf(rules, this.#byMetric.get(metric)));
      if (turn.isOver) await turn.give();
    }
    this.watchingData = watching;
    this.#byMetric = byMetric;
    this.#metrics = metrics;
    this.generation += 1;
  }
}
