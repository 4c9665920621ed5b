import { toIso } from '@tidewatch/contracts/values/time';
import type { Queryable } from '../database/connection.ts';

/** A service that is offline. `since` in ms. */
export interface OfflineService {
  org: string;
  id: string;
  host: string;
  tags: Record<string, string>;
  since: number;
}

/** Living services that have been offline since before a time (ms) and are not archived, those longest offline first. */
export async function readOfflineSince(
  sql: Queryable,
  before: number,
  most: number,
): Promise<OfflineService[]> {
  return sql<OfflineService[]>`
    select org_id as org, id, host, tags, status_since as since from services
    where status = 'offline' and deleted_at is null and archived_at is null and status_since <= ${before}::timestamptz
    order by status_since, id limit ${most}`;
}

/** When a service was archived (ms), null where it is back. */
export interface ArchiveWrite {
  organizationId: string;
  serviceId: string;
  archivedAt: number | null;
}

/** Takes services out of every list, or brings them back, in the order of their ids. */
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
      select r.* from services s join r on s.org_id = r.org and s.id = r.id order by s.org_id, s.id for update of s
    )
    update services s set archived_at = l.at from locked l where s.org_id = l.org and s.id = l.id`;
}
