import type { Queryable } from '../database/connection.ts';

/** What the evaluator keeps of a service. `clock*` and `interval` are seconds, null while unknown. */
export interface ServiceHealthRow {
  organizationId: string;
  serviceId: string;
  host: string;
  tags: Record<string, string>;
  status: string;
  reasons: unknown[];
  statusSince: number;
  intervalSeconds: number | null;
  clockOffsetSeconds: number | null;
  clockSkewSeconds: number | null;
  lastSeen: number | null;
  archivedAt: number | null;
  deleted: boolean;
}

/** The named services, deleted ones included; those that this statement cannot see are left out. */
export async function readServiceHealth(
  sql: Queryable,
  services: readonly { org: string; id: string }[],
): Promise<ServiceHealthRow[]> {
  return sql<ServiceHealthRow[]>`
    select s.org_id as "organizationId", s.id as "serviceId", s.host, s.tags, s.status, s.status_reasons as reasons,
      s.status_since as "statusSince", l.interval_seconds as "intervalSeconds",
      l.clock_offset_seconds as "clockOffsetSeconds", l.clock_skew_seconds as "clockSkewSeconds",
      l.last_seen as "lastSeen", s.archived_at as "archivedAt", s.deleted_at is not null as deleted
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    join services s on s.org_id = r.org and s.id = r.id
    left join service_live l on l.org_id = s.org_id and l.service_id = s.id`;
}

/** A living service as the watch over silence needs it. */
export interface WatchedService {
  organizationId: string;
  serviceId: string;
  host: string;
  /** Whether it was silent when its status was last written, which may say something else. */
  offline: boolean;
  intervalSeconds: number | null;
  /** When its first and its newest payload were received, ms; null where it has sent none since it was registered. */
  firstSeen: number;
  lastSeen: number | null;
}

/** Every living service that is not archived. */
export async function readWatchedServices(sql: Queryable): Promise<WatchedService[]> {
  return sql<WatchedService[]>`
    select s.org_id as "organizationId", s.id as "serviceId", s.host,
      s.status_reasons @> '[{"code": "silent"}]' as offline, l.interval_seconds as "intervalSeconds",
      s.first_seen as "firstSeen", l.last_seen as "lastSeen"
    from services s left join service_live l on l.org_id = s.org_id and l.service_id = s.id
    where s.deleted_at is null and s.archived_at is null`;
}

/** What silences are compared with. */
export interface HostHealth {
  org: string;
  id: string;
  host: string;
  tags: Record<string, string>;
  status: string;
}

/** Every living service that is not archived, with its tags and status. */
export async function readHealthByHost(sql: Queryable): Promise<HostHealth[]> {
  return sql<HostHealth[]>`
    select org_id as org, id, host, tags, status from services where deleted_at is null and archived_at is null`;
}

/** A service's health as it is stored, with what silences ask of it. */
export interface StoredHealth {
  organizationId: string;
  serviceId: string;
  host: string;
  tags: Record<string, string>;
  status: string;
  reasons: unknown[];
  statusSince: number;
  critical: number;
  warning: number;
  info: number;
}

/** The health of the named services; deleted ones are left out. */
export async function readStoredHealth(
  sql: Queryable,
  services: readonly { org: string; id: string }[],
): Promise<StoredHealth[]> {
  return sql<StoredHealth[]>`
    select s.org_id as "organizationId", s.id as "serviceId", s.host, s.tags, s.status, s.status_reasons as reasons,
      s.status_since as "statusSince", s.active_critical as critical, s.active_warning as warning, s.active_info as info
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    join services s on s.org_id = r.org and s.id = r.id
    where s.deleted_at is null`;
}

export interface DeletedService {
  org: string;
  id: string;
  host: string;
  /** Whether a rule still has a state of it. */
  judged: boolean;
}

/** Services that were deleted at or after `since` (ms), and every deleted one that a rule still has a state of. */
export async function readDeletedServices(sql: Queryable, since: number): Promise<DeletedService[]> {
  return sql<DeletedService[]>`
    select s.org_id as org, s.id, s.host, j.judged is not null as judged
    from services s
    left join lateral (
      select true as judged from rule_states r where r.org_id = s.org_id and r.service_id = s.id limit 1) j on true
    where s.deleted_at is not null and (s.deleted_at >= ${since}::timestamptz or j.judged)`;
}
