import { type Api, createRule } from './api.ts';
import { metricName } from './load/plan.ts';

const METRICS = 10;

/** A rule for every host that breaches above its threshold. */
export interface PlannedRule {
  name: string;
  /** Index of the metric in the plan. */
  metric: number;
  threshold: number;
  durationMinutes: number;
}

export interface BenchRule {
  id: string;
  /** Index of the metric in the plan. */
  metric: number;
  threshold: number;
  durationMinutes: number;
}

/** Plans `count` rules, divided between the first ten metrics: thresholds from 90 to below 100. */
export function planRules(count: number, durationMinutes: number): PlannedRule[] {
  const ofMetric = count / METRICS;
  return Array.from({ length: count }, (_, index) => {
    const metric = index % METRICS;
    const threshold = 90 + (Math.floor(index / METRICS) * 10) / ofMetric;
    return { name: `${metricName(metric)} over ${threshold}`, metric, threshold, durationMinutes };
  });
}

export type RuleSeverity = 'info' | 'warning' | 'critical';

/**
 * Creates `count` rules for every host, as `planRules` plans them, for five minutes. Those with the highest thresholds are
 * critical.
 */
export function createRules(api: Api, count = 100): Promise<BenchRule[]> {
  return createPlannedRules(api, planRules(count, 5), ({ threshold }) =>
    threshold >= 97 ? 'critical' : 'warning',
  );
}

/** Creates planned rules one after the other. */
export async function createPlannedRules(
  api: Api,
  planned: readonly PlannedRule[],
  severityOf: (rule: PlannedRule) => RuleSeverity,
): Promise<BenchRule[]> {
  const rules: BenchRule[] = [];
  for (const rule of planned) {
    const { name, metric, threshold, durationMinutes } = rule;
    const more = { name, duration_minutes: durationMinutes, severity: severityOf(rule) };
    const id = await createRule(api, metricName(metric), threshold, more);
    rules.push({ id, metric, threshold, durationMinutes });
  }
  return rules;
}
