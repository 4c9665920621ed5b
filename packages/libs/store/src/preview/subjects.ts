import { fieldOf, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import type { Queryable } from '@tidewatch/database/connection';

/** A host or container with the block and slot of the metric. */
export interface StoredSubject {
  serviceId: string;
  host: string;
  tags: Record<string, string>;
  name: string;
  blockId: number;
  slot: number;
}

/** Reads the hosts (neither deleted nor archived), or their containers, that have a metric, given by its name in rules. */
export async function readSubjects(
  sql: Queryable,
  organizationId: string,
  metric: string,
): Promise<StoredSubject[]> {
  const kind = subjectKindOf(metric);
  const stored = kind === 'host' ? metric : fieldOf(metric);
  return sql<StoredSubject[]>`
    select b.service_id as "serviceId", s.host, s.tags, b.subject_name as name, b.id as "blockId",
      array_position(b.metrics, ${stored}) - 1 as slot
    from blocks b join services s on s.organization_id = b.organization_id and s.id = b.service_id
    where b.organization_id = ${organizationId} and b.subject_kind = ${kind} and ${stored} = any(b.metrics)
      and s.deleted_at is null and s.archived_at is null
    order by s.host, s.id, b.subject_name`;
}
