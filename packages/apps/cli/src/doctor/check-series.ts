import { greatest, type MetricReading } from '@tidewatch/api-client/prometheus-text';
import { type Finding, finding } from './finding.ts';

const ADVICE =
  'find the metrics with the most series (GET /api/v1/metrics), stop sending metric or container names that change, or raise TIDEWATCH_SERIES_LIMIT';

/**
 * Checks for organizations near or at their limit of active series, which the service exposes above 80 %. `readings` is
 * null if no metrics could be read.
 */
export function checkSeries(readings: readonly MetricReading[] | null): Finding[] {
  const limit = greatest(readings ?? [], 'tidewatch_series_limit');
  if (limit === undefined)
    return [finding('series', 'unknown', 'the metrics of the service could not be read')];
  const active = new Map<string, number>();
  for (const { name, labels, value } of readings ?? []) {
    if (name === 'tidewatch_series_active') active.set(labels, Math.max(value, active.get(labels) ?? 0));
  }
  if (active.size === 0) return [finding('series', 'ok', `no organization is near its ${limit} series`)];
  return [...active].map(([labels, count]) => {
    const [, organization = 'an organization'] = /organization="([^"]*)"/.exec(labels) ?? [];
    const summary = `${organization} has ${count} of ${limit} series`;
    if (count < limit) return finding('series', 'warning', summary, ADVICE);
    return finding('series', 'failed', `${summary}, and new ones are refused with series_limit`, ADVICE);
  });
}
