import type { Api } from './api.ts';
import { metricName } from './load/plan.ts';

export interface BenchRule {
  id: string;
  /** Index of the metric in the plan. */
  metric: number;
  threshold: number;
  durationMinutes: number;
}

/** A hundred rules, ten on each of the first ten metrics, for every host: thresholds 90 to 99 for five minutes. */
export async function createRules(api: Api): Promise<BenchRule[]> {
  const rules: BenchRule[] = [];
  for (let index = 0; index < 100; index += 1) {
    const metric = index % 10;
    const threshold = 90 + Math.floor(index / 10);
    const { id } = await api.post<{ id: string }>('/alerts/rules', {
      name: `${metricName(metric)} over ${threshold}`,
      metric: metricName(metric),
      condition: 'greater_than',
      threshold,
      duration_minutes: 5,
      severity: threshold >= 97 ? 'critical' : 'warning',
      channels: [],
    });
    rules.push({ id, metric, threshold, durationMinutes: 5 });
  }
  return rules;
}
