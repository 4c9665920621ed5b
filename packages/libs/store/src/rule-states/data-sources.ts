import type { Queryable } from '@tidewatch/database/connection';
import type { ServiceKey } from './read.ts';

/** A subject for which a metric was reported, or for which a rule has a stored state. */
export interface DataSource extends ServiceKey {
  host: string;
  subjectKind: 'host' | 'container' | 'process';
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
