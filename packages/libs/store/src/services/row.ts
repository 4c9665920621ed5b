import type { Service, ServiceStatus, StatusReason } from '@tidewatch/contracts/services/service';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** A service and its live values; null for values that it never sent. */
export interface ServiceRow {
  id: string;
  host: string;
  status: ServiceStatus;
  status_reasons: StatusReason[];
  status_since: number;
  first_seen: number;
  archived_at: number | null;
  tags: Record<string, string>;
  active_critical: number;
  active_warning: number;
  active_info: number;
  last_seen: number | null;
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
}

/** The columns of ServiceRow from `services s` and `service_live l`. */
export function serviceColumns(sql: Queryable) {
  return sql`s.id, s.host, s.status, s.status_reasons, s.status_since, s.first_seen, s.archived_at, s.tags,
    s.active_critical, s.active_warning, s.active_info,
    l.last_seen, l.cpu_percent, l.memory_percent, l.disk_percent`;
}

/** A service as lists of the API return it. */
export function serviceAnswer(row: ServiceRow): Service {
  return {
    id: row.id,
    name: row.host,
    status: row.archived_at === null ? row.status : 'archived',
    status_reasons: row.status_reasons,
    status_since: toIso(row.status_since),
    last_seen: toIso(row.last_seen ?? row.first_seen),
    metrics: {
      cpu_percent: row.cpu_percent,
      memory_percent: row.memory_percent,
      disk_percent: row.disk_percent,
    },
    tags: row.tags,
    active_alerts: { critical: row.active_critical, warning: row.active_warning, info: row.active_info },
  };
}
