import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

export interface ServiceHealthWrite {
  organizationId: string;
  serviceId: string;
  status: string;
  reasons: readonly unknown[];
  statusSince: number;
  critical: number;
  warning: number;
  info: number;
}

/** Sets status and counts of the services, in the order of their ids so that two writers cannot deadlock. */
export async function writeServiceHealth(
  tx: Queryable,
  services: readonly ServiceHealthWrite[],
): Promise<void> {
  if (services.length === 0) return;
  const sorted = [...services].sort((a, b) => (a.serviceId < b.serviceId ? -1 : 1));
  const rows = sorted.map((s) => ({
    org: s.organizationId,
    id: s.serviceId,
    status: s.status,
    reasons: s.reasons,
    since: toIso(s.statusSince),
    critical: s.critical,
    warning: s.warning,
    info: s.info,
  }));
  const text = JSON.stringify(rows);
  await tx`
    with r as materialized (
      select * from json_to_recordset(${text}::text::json) as r(org text, id text, status text, reasons jsonb,
        since timestamptz, critical integer, warning integer, info integer)
    ), locked as materialized (
      select r.* from services s join r on s.organization_id = r.org and s.id = r.id order by s.organization_id, s.id for update of s
    )
    update services s set status = l.status, status_reasons = l.reasons, status_since = l.since,
      active_critical = l.critical, active_warning = l.warning, active_info = l.info
    from locked l where s.organization_id = l.org and s.id = l.id`;
}
