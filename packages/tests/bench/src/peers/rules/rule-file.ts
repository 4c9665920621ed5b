import { metricName } from '../../load/plan.ts';
import type { RuleSet } from '../system.ts';

/** The label of an alert that names its rule. */
export const RULE_LABEL = 'alertname';

/**
 * Writes rules for Prometheus and vmalert, as JSON, which is YAML as well. Rules of one metric are a group, since the rules
 * of a group are evaluated one after the other.
 */
export function ruleFile({ rules, stepMs }: RuleSet): string {
  const groups = Map.groupBy(rules, ({ metric }) => metric);
  return JSON.stringify({
    groups: [...groups].map(([metric, ofMetric]) => ({
      name: metricName(metric),
      interval: `${stepMs / 1_000}s`,
      rules: ofMetric.map(({ name, threshold, durationMinutes }) => ({
        alert: name,
        expr: `${metricName(metric)} > ${threshold}`,
        for: `${durationMinutes}m`,
      })),
    })),
  });
}
