import type { RuleWarning } from '@tidewatch/contracts/rules/rule';
import { SILENT_MINUTES, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import { nearMiss } from '@tidewatch/contracts/values/near-miss';
import type { Queryable } from '../connection.ts';

/** Names among which the one that was meant is looked for. */
const MAX_NAMES = 5_000;

/**
 * Says where no host of the organization sends the metric of a rule, and which name may have been meant. Metrics of containers
 * and processes are not counted by name and pass.
 */
export async function metricWarnings(
  sql: Queryable,
  organizationId: string,
  metric: string,
): Promise<RuleWarning[]> {
  if (metric === SILENT_MINUTES || subjectKindOf(metric) !== 'host') return [];
  const [sent] = await sql`
    select 1 from metric_counts where org_id = ${organizationId} and metric = ${metric} and services > 0
    union all
    select 1 from metric_count_changes where org_id = ${organizationId} and metric = ${metric} and services > 0
    limit 1`;
  if (sent !== undefined) return [];
  const names = await sql<{ metric: string }[]>`
    select metric from metric_counts where org_id = ${organizationId} and services > 0
    union select metric from metric_count_changes where org_id = ${organizationId} and services > 0
    limit ${MAX_NAMES}`;
  const meant = nearMiss(
    metric,
    names.map((row) => row.metric),
  );
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const message = `No host sends ${metric}.${question} The rule evaluates it as soon as one does.`;
  return [{ code: 'metric_not_sent', message }];
}
