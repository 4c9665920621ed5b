import { type Api, createRule } from '@tidewatch/bench/api';
import { metricName } from '@tidewatch/bench/load/plan';
import type { BenchRule } from '@tidewatch/bench/rules';

const DURATIONS = [1, 2, 5];
const METRICS = 10;

/**
 * Creates a rule for each metric with a threshold that many hosts cross now and then, so that alerts fire and resolve all
 * the time.
 */
export async function createRules(api: Api): Promise<BenchRule[]> {
  const rules: BenchRule[] = [];
  for (let metric = 0; metric < METRICS; metric += 1) {
    const threshold = 45 + metric;
    const durationMinutes = DURATIONS[metric % DURATIONS.length] as number;
    const id = await createRule(api, metricName(metric), threshold, {
      name: `${metricName(metric)} over ${threshold}`,
      duration_minutes: durationMinutes,
      severity: 'warning',
    });
    rules.push({ id, metric, threshold, durationMinutes });
  }
  return rules;
}
