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

/** Creates `count` rules for every host, as `planRules` plans them, for five minutes unless `durationMinutes` says otherwise. */
export async function createRules(api: Api, count = 100, durationMinutes = 5): Promise<BenchRule[]> {
  const rules: BenchRule[] = [];
  for (const { name, metric, threshold } of planRules(count, durationMinutes)) {
    const severity = threshold >= 97 ? 'critical' : 'warning';
    const more = { name, duration_minutes: durationMinutes, severity };
    const id = await createRule(api, metricName(metric), threshold, more);
    rules.push({ id, metric, threshold, durationMinutes });
  }
  return rules;
}
