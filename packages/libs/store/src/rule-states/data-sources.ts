import type { PartMetric } from '@tidewatch/contracts/rules/rule-metric';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { ServiceKey } from './read.ts';

/** A subject for which a metric was reported, or for which a rule has a stored state. */
export interface DataSource extends ServiceKey {
  host: string;
  subjectKind: Subject['kind'];
  subjectName: string;
}

/** Hosts that are neither deleted nor archived, or their containers, that ever sent the metric; `metric` is the name as sent. */
export async function readReporting(
  sql: Queryable,
  organizationId: string,
  subjectKind: 'host' | 'container',
  metric: string,
): Promise<DataSource[]> {
  return sql<DataSource[]>`
    select s.organization_id as org, s.id, s.host, b.subject_kind as "subjectKind", b.subject_name as "subjectName"
    from blocks b join services s on s.organization_id = b.organization_id and s.id = b.service_id
    where b.organization_id = ${organizationId} and b.subject_kind = ${subjectKind} and ${metric} = any(b.metrics)
      and s.deleted_at is null and s.archived_at is null`;
}

/** The parts of one kind, of hosts that are neither deleted nor archived, that ever sent the metric and are not gone. */
export async function readReportingParts(
  sql: Queryable,
  organizationId: string,
  { kind, metric }: PartMetric,
): Promise<DataSource[]> {
  return sql<DataSource[]>`
    select s.organization_id as org, s.id, s.host, 'part' as "subjectKind", p.kind || ':' || p.name as "subjectName"
    from parts p
    join services s on s.organization_id = p.organization_id and s.id = p.service_id
    where p.organization_id = ${organizationId} and p.kind = ${kind} and p.listed and not p.gone and exists (
      select from blocks b cross join lateral unnest(b.metrics, b.parts) as m (metric, part)
      where b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part'
        and m.part = p.id and m.metric = ${metric})`;
}

/** The subjects for which a rule has a stored state. */
export async function readSourcesWithState(
  sql: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<DataSource[]> {
  return sql<DataSource[]>`
    select s.organization_id as org, s.id, s.host, r.subject_kind as "subjectKind", r.subject_name as "subjectName"
    from rule_states r join services s on s.organization_id = r.organization_id and s.id = r.service_id
    where r.organization_id = ${organizationId} and r.rule_id = ${ruleId}`;
}
