import type { Api } from '@tidewatch/bench/api';
import { metricName } from '@tidewatch/bench/load/plan';
import type { BenchRule } from '@tidewatch/bench/rules';

const DURATIONS = [1, 2, 5];
const METRICS = 10;

/** A rule for each metric at a threshold that many hosts cross now and then, so that alerts fire and resolve all the time. */
export async function createRules(api: Api): Promise<BenchRule[]> {
  const rules: BenchRule[] = [];
  for (let metric = 0; metric < METRICS; metric += 1) {
    const threshold = 45 + metric;
    const durationMinutes = DURATIONS[metric % DURATIONS.length] as number;
    const { id } = await api.post<{ id: string }>('/alerts/rules', {
      name: `${metricName(metric)} over ${threshold}`,
      metric: metricName(metric),
      condition: 'greater_than',
      threshold,
      duration_minutes: durationMinutes,
      severity: 'warning',
      channels: [],
    });
    rules.push({ id, metric, threshold, durationMinutes });
  }
  return rules;
}
