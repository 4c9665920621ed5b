import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** A service that is offline. `since` in ms. */
export interface OfflineService {
  org: string;
  id: string;
  host: string;
  tags: Record<string, string>;
  since: number;
}

/** Services, neither deleted nor archived, that are offline since before a time (ms), longest offline first. */
export async function readOfflineSince(
  sql: Queryable,
  before: number,
  limit: number,
): Promise<OfflineService[]> {
  return sql<OfflineService[]>`
    select organization_id as org, id, host, tags, status_since as since from services
    where status = 'offline' and deleted_at is null and archived_at is null and status_since <= ${before}::timestamptz
    order by status_since, id limit ${limit}`;
}

/** When a service was archived (ms), or null to restore it. */
export interface ArchiveWrite {
  organizationId: string;
  serviceId: string;
  archivedAt: number | null;
}

/** Archives or restores services, in the order of their ids so that two writers cannot deadlock. */
export async function writeArchived(tx: Queryable, services: readonly ArchiveWrite[]): Promise<void> {
  if (services.length === 0) return;
  const rows = services.map(({ organizationId, serviceId, archivedAt }) => ({
    org: organizationId,
    id: serviceId,
    at: archivedAt === null ? null : toIso(archivedAt),
  }));
  await tx`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, id text, at timestamptz)
    ), locked as materialized (
      select r.* from services s join r on s.organization_id = r.org and s.id = r.id order by s.organization_id, s.id for update of s
    )
    update services s set archived_at = l.at from locked l where s.organization_id = l.org and s.id = l.id`;
}
