import { type Api, createRule } from './api.ts';
import { metricName } from './load/plan.ts';

const METRICS = 10;

export interface BenchRule {
  id: string;
  /** Index of the metric in the plan. */
  metric: number;
  threshold: number;
  durationMinutes: number;
}

/**
 * Creates `count` rules for every host, divided between the first ten metrics: thresholds from 90 to below 100, for five
 * minutes.
 */
export async function createRules(api: Api, count = 100): Promise<BenchRule[]> {
  const ofMetric = count / METRICS;
  const rules: BenchRule[] = [];
  for (let index = 0; index < count; index += 1) {
    const metric = index % METRICS;
    const threshold = 90 + (Math.floor(index / METRICS) * 10) / ofMetric;
    const id = await createRule(api, metricName(metric), threshold, {
      name: `${metricName(metric)} over ${threshold}`,
      duration_minutes: 5,
      severity: threshold >= 97 ? 'critical' : 'warning',
    });
    rules.push({ id, metric, threshold, durationMinutes: 5 });
  }
  return rules;
}
