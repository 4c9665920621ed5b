import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import type { RuleWarning } from '@tidewatch/contracts/rules/rule';
import { COMPUTED_METRICS, partMetricOf, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import type { Queryable } from '@tidewatch/database/connection';
import { sentProcessMetrics } from './sent-process-metrics.ts';

/** The maximum number of names that are compared to suggest one. */
const MAX_NAMES = 5_000;
/** The maximum number of container blocks that are read, newest first; with more, no warning is given. */
const MAX_BLOCKS = 20_000;
/** The maximum number of hosts whose processes are read; with more, no warning is given. */
const MAX_HOSTS = 1_000;

/** The warning that no host sends a metric. */
export interface MetricWarning {
  warning: RuleWarning;
  /** The metric that was probably meant; undefined if no name is similar. */
  meant: string | undefined;
}

/**
 * Warnings, by metric, about metrics of rules that no host, container or part of the organization sends, with a suggested name.
 * If the rules are all of an organization (`isOfAll`), there are none while its hosts send nothing.
 */
export async function metricWarnings(
  sql: Queryable,
  organizationId: string,
  metrics: readonly string[],
  { isOfAll = false } = {},
): Promise<ReadonlyMap<string, MetricWarning>> {
  const ofKind = (kind: string) => [
    ...new Set(
      metrics.filter((metric) => !COMPUTED_METRICS.includes(metric) && subjectKindOf(metric) === kind),
    ),
  ];
  const [ofHosts, ofContainers, ofProcesses] = [ofKind('host'), ofKind('container'), ofKind('process')];
  return new Map([
    ...(ofHosts.length > 0 ? await hostWarnings(sql, organizationId, ofHosts, isOfAll) : []),
    ...(ofContainers.length > 0 ? await containerWarnings(sql, organizationId, ofContainers, isOfAll) : []),
    ...(ofProcesses.length > 0 ? await processWarnings(sql, organizationId, ofProcesses, isOfAll) : []),
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
  return unsent.map((metric) => [
    metric,
    warningOf(metric, partMetricOf(metric) === null ? 'No host sends' : 'No host or part sends', names),
  ]);
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

async function processWarnings(
  sql: Queryable,
  organizationId: string,
  metrics: readonly string[],
  isOfAll: boolean,
): Promise<[metric: string, MetricWarning][]> {
  const hosts = await sql<{ id: string }[]>`
    select id from services where organization_id = ${organizationId} and deleted_at is null limit ${MAX_HOSTS}`;
  if (hosts.length >= MAX_HOSTS) return [];
  const ids = hosts.map(({ id }) => id);
  const sent = await sentProcessMetrics(sql, organizationId, ids);
  if (isOfAll && sent === null) return [];
  const rows = [...(sent ?? [])].map((metric) => ({ metric }));
  return without(metrics, rows).map((metric) => [metric, warningOf(metric, 'No host sends', rows)]);
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
