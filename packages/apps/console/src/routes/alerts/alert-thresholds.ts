import type { ChartThreshold } from '../../chart/lanes/thresholds.ts';
import type { Alert } from './alert-reads.ts';

/** The threshold that the alert was evaluated with last. */
export function alertThresholds(alert: Alert): ChartThreshold[] {
  const { threshold, threshold_max, condition, severity, rule_id, rule_name } = alert;
  if (threshold === null) return [];
  return [
    {
      ruleId: rule_id,
      ruleName: rule_name,
      severity,
      condition,
      threshold,
      thresholdMax: threshold_max,
      recoveryThreshold: null,
      durationMinutes: 0,
    },
  ];
}
