import type { RuleWarning } from '@tidewatch/contracts/rules/rule';
import { SILENT_MINUTES, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import { nearMiss } from '@tidewatch/contracts/values/near-miss';
import type { Queryable } from '../database/connection.ts';

/** The maximum number of names that are compared to suggest one. */
const MAX_NAMES = 5_000;
/** The maximum number of container blocks that are read, newest first; with more, no warning is given. */
const MAX_BLOCKS = 20_000;

/** The warning that no host sends a metric. */
export interface MetricWarning {
  warning: RuleWarning;
  /** The metric that may have been meant; undefined where none is near. */
  meant: string | undefined;
}

/**
 * Warnings about metrics of rules that no host or container of the organization sends, with a suggested name, by metric. Metrics of
 * processes are a closed list. With `isOfAll` (all rules of an organization), there are no warnings while hosts send nothing.
 */
export async function metricWarnings(
  sql: Queryable,
  organizationId: string,
  metrics: readonly string[],
  { isOfAll = false } = {},
): Promise<ReadonlyMap<string, MetricWarning>> {
  const ofKind = (kind: string) => [
    ...new Set(metrics.filter((metric) => metric !== SILENT_MINUTES && subjectKindOf(metric) === kind)),
  ];
  const [ofHosts, ofContainers] = [ofKind('host'), ofKind('container')];
  return new Map([
    ...(ofHosts.length > 0 ? await hostWarnings(sql, organizationId, ofHosts, isOfAll) : []),
    ...(ofContainers.length > 0 ? await containerWarnings(sql, organizationId, ofContainers, isOfAll) : []),
  ]);
}

async function hostWarnings(
  sql: Queryable,
  organizationId: string,
  metrics: readonly string[],
  isOfAll: boolean,
): Promise<[metric: string, MetricWarning][]> {
  const sent = await sql<{ metric: string }[]>`
    select metric from metric_counts
    where organization_id = ${organizationId} and metric = any(${metrics}::text[]) and services > 0
    union
    select metric from metric_count_changes
    where organization_id = ${organizationId} and metric = any(${metrics}::text[]) and services > 0`;
  const unsent = without(metrics, sent);
  if (unsent.length === 0) return [];
  const names = await sql<{ metric: string }[]>`
    select metric from metric_counts where organization_id = ${organizationId} and services > 0
    union select metric from metric_count_changes where organization_id = ${organizationId} and services > 0
    order by 1 limit ${MAX_NAMES}`;
  if (isOfAll && names.length === 0) return [];
  return unsent.map((metric) => [metric, warningOf(metric, 'No host sends', names)]);
}

async function containerWarnings(
  sql: Queryable,
  organizationId: string,
  metrics: readonly string[],
  isOfAll: boolean,
): Promise<[metric: string, MetricWarning][]> {
  const rows = await sql<{ metric: string; blocks: number }[]>`
    with newest as materialized (
      select b.metrics from blocks b where b.organization_id = ${organizationId} and b.subject_kind = 'container'
      order by b.id desc limit ${MAX_BLOCKS}
    )
    select 'container.' || name as metric, (select count(*)::int from newest) as blocks
    from newest cross join lateral unnest(newest.metrics) as name where name <> '' group by name order by 1 limit ${MAX_NAMES}`;
  const unsent = without(metrics, rows);
  if ((isOfAll && rows.length === 0) || (rows[0]?.blocks ?? 0) >= MAX_BLOCKS) return [];
  return unsent.map((metric) => [metric, warningOf(metric, 'No container sends', rows)]);
}

function without(metrics: readonly string[], sent: readonly { metric: string }[]): string[] {
  const names = new Set(sent.map(({ metric }) => metric));
  return metrics.filter((metric) => !names.has(metric));
}

function warningOf(metric: string, what: string, sent: readonly { metric: string }[]): MetricWarning {
  const meant = nearMiss(
    metric,
    sent.map((row) => row.metric),
  );
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const message = `${what} ${metric}.${question} The rule evaluates it as soon as one does.`;
  return { warning: { code: 'metric_not_sent', message }, meant };
}
