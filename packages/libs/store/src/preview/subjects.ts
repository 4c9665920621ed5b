import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import {
  fieldOf,
  type PartMetric,
  partMetricOf,
  subjectKindOf,
} from '@tidewatch/contracts/rules/rule-metric';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';

/** A host, container or part with the block and slot of the metric. */
export interface StoredSubject {
  serviceId: string;
  host: string;
  tags: Record<string, string>;
  subject: Subject;
  /** What selectors match of a part or container; null for a host. */
  part: MatchedPart | null;
  blockId: number;
  slot: number;
}

/**
 * Reads the hosts (neither deleted nor archived), their containers or their parts that have a metric, given by its name in
 * rules. A metric of parts may be one of hosts too.
 */
export async function readSubjects(
  sql: Queryable,
  organizationId: string,
  metric: string,
): Promise<StoredSubject[]> {
  const kind = subjectKindOf(metric);
  const stored = kind === 'host' ? metric : fieldOf(metric);
  const rows = await sql<(Omit<StoredSubject, 'subject' | 'part'> & { name: string })[]>`
    select b.service_id as "serviceId", s.host, s.tags, b.subject_name as name, b.id as "blockId",
      array_position(b.metrics, ${stored}) - 1 as slot
    from blocks b join services s on s.organization_id = b.organization_id and s.id = b.service_id
    where b.organization_id = ${organizationId} and b.subject_kind = ${kind} and ${stored} = any(b.metrics)
      and s.deleted_at is null and s.archived_at is null
    order by s.host, s.id, b.subject_name`;
  const subjects = rows.map(({ name, ...row }) => ({
    ...row,
    subject: { kind, name },
    part: matchedOf(kind, name),
  }));
  const ofParts = partMetricOf(metric);
  return ofParts === null ? subjects : [...subjects, ...(await readParts(sql, organizationId, ofParts))];
}

/** Containers have no labels. */
function matchedOf(kind: Subject['kind'], name: string): MatchedPart | null {
  return kind === 'host' ? null : { name, labels: {} };
}

async function readParts(
  sql: Queryable,
  organizationId: string,
  { kind, metric }: PartMetric,
): Promise<StoredSubject[]> {
  const rows = await sql<(Omit<StoredSubject, 'subject' | 'part'> & MatchedPart)[]>`
    select p.service_id as "serviceId", s.host, s.tags, p.name, p.labels, b.id as "blockId", m.place::int - 1 as slot
    from parts p
    join services s on s.organization_id = p.organization_id and s.id = p.service_id
    join blocks b on b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part'
      and p.id = any(b.parts)
    cross join lateral unnest(b.metrics, b.parts) with ordinality as m (metric, part, place)
    where p.organization_id = ${organizationId} and p.kind = ${kind} and m.part = p.id and m.metric = ${metric}
      and s.deleted_at is null and s.archived_at is null
    order by s.host, s.id, p.name`;
  return rows.map(({ name, labels, ...row }) => ({
    ...row,
    subject: { kind: 'part', name: partSubject(kind, name) },
    part: { name, labels },
  }));
}
