import { greatest, type MetricReading } from '@tidewatch/api-client/prometheus-text';
import { type Finding, finding } from './finding.ts';

const ADVICE =
  'find the rules that match the most hosts (tidewatch rules list), narrow their scope, or raise TIDEWATCH_ALERT_INSTANCES_LIMIT';

/**
 * Checks for organizations near or at their limit of alert instances, which the service exposes above 80 %. `readings` is
 * null if no metrics could be read.
 */
export function checkAlertInstances(readings: readonly MetricReading[] | null): Finding[] {
  const limit = greatest(readings ?? [], 'tidewatch_alert_instances_limit');
  if (limit === undefined) return [];
  const active = new Map<string, number>();
  for (const { name, labels, value } of readings ?? []) {
    if (name === 'tidewatch_alert_instances_active')
      active.set(labels, Math.max(value, active.get(labels) ?? 0));
  }
  if (active.size === 0)
    return [finding('alert instances', 'ok', `no organization is near its ${limit} alert instances`)];
  return [...active].map(([labels, count]) => {
    const [, organization = 'an organization'] = /organization="([^"]*)"/.exec(labels) ?? [];
    const summary = `${organization} has ${count} of ${limit} alert instances that are pending or active`;
    if (count < limit) return finding('alert instances', 'warning', summary, ADVICE);
    return finding('alert instances', 'failed', `${summary}, and no new ones start`, ADVICE);
  });
}
