import type { Queryable } from '@tidewatch/database/connection';
import type { ClockStepWrite } from '../rule-states/clock-steps.ts';

/** The state of a service that the evaluator restores. `clock*` and `interval` are seconds, null if unknown. */
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
  /** Null unless the clock of the host was set back and its samples have not reached the time before that again. */
  clockStep: StoredClockStep | null;
}

/** How the clock of a host was set back; times in ms, as in `ClockStepWrite`. */
export type StoredClockStep = Pick<ClockStepWrite, 'newestBefore' | 'evaluatedUntil' | 'movedByMs'>;

type HealthRow = Omit<ServiceHealthRow, 'clockStep'> & { [field in keyof StoredClockStep]: number | null };

/** Reads the services, including deleted ones; those that this statement cannot see yet are left out. */
export async function readServiceHealth(
  sql: Queryable,
  services: readonly { org: string; id: string }[],
): Promise<ServiceHealthRow[]> {
  const rows = await sql<HealthRow[]>`
    select s.organization_id as "organizationId", s.id as "serviceId", s.host, s.tags, s.status, s.status_reasons as reasons,
      s.status_since as "statusSince", l.interval_seconds as "intervalSeconds",
      l.clock_offset_seconds as "clockOffsetSeconds", l.clock_skew_seconds as "clockSkewSeconds",
      l.last_seen as "lastSeen", s.archived_at as "archivedAt", s.deleted_at is not null as deleted,
      c.newest_before as "newestBefore", c.evaluated_until as "evaluatedUntil", c.moved_by_ms as "movedByMs"
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    join services s on s.organization_id = r.org and s.id = r.id
    left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    left join clock_steps c on c.organization_id = s.organization_id and c.service_id = s.id`;
  return rows.map(({ newestBefore, evaluatedUntil, movedByMs, ...row }) => {
    const isSteady = newestBefore === null || evaluatedUntil === null || movedByMs === null;
    return { ...row, clockStep: isSteady ? null : { newestBefore, evaluatedUntil, movedByMs } };
  });
}

/** The fields of a service that the detection of silent hosts needs. */
export interface WatchedService {
  organizationId: string;
  serviceId: string;
  host: string;
  /** Whether the host counted as silent when its status was last written; the status may have further reasons. */
  offline: boolean;
  intervalSeconds: number | null;
  /** When the first and the newest payload of the host were received, ms; `lastSeen` is null if there is none. */
  firstSeen: number;
  lastSeen: number | null;
}

/** Every service that is neither deleted nor archived. */
export async function readWatchedServices(sql: Queryable): Promise<WatchedService[]> {
  return sql<WatchedService[]>`
    select s.organization_id as "organizationId", s.id as "serviceId", s.host,
      s.status_reasons @> '[{"code": "silent"}]' as offline, l.interval_seconds as "intervalSeconds",
      s.first_seen as "firstSeen", l.last_seen as "lastSeen"
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.deleted_at is null and s.archived_at is null`;
}

/** The fields of a service that silences match. */
export interface HostHealth {
  org: string;
  id: string;
  host: string;
  tags: Record<string, string>;
  status: string;
}

/** Every service that is neither deleted nor archived, with its tags and status. */
export async function readHealthByHost(sql: Queryable): Promise<HostHealth[]> {
  return sql<HostHealth[]>`
    select organization_id as org, id, host, tags, status from services where deleted_at is null and archived_at is null`;
}

/** The stored health of a service, with the fields that silences match. */
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

/** Reads the health of the services; deleted ones are left out. */
export async function readStoredHealth(
  sql: Queryable,
  services: readonly { org: string; id: string }[],
): Promise<StoredHealth[]> {
  return sql<StoredHealth[]>`
    select s.organization_id as "organizationId", s.id as "serviceId", s.host, s.tags, s.status, s.status_reasons as reasons,
      s.status_since as "statusSince", s.active_critical as critical, s.active_warning as warning, s.active_info as info
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    join services s on s.organization_id = r.org and s.id = r.id
    where s.deleted_at is null`;
}

export interface DeletedService {
  org: string;
  id: string;
  host: string;
  /** Whether a rule still has a state of it. */
  hasState: boolean;
}

/** Services that were deleted at or after `since` (ms), and every deleted one that a rule still has a state of. */
export async function readDeletedServices(sql: Queryable, since: number): Promise<DeletedService[]> {
  return sql<DeletedService[]>`
    select s.organization_id as org, s.id, s.host, r.found is not null as "hasState"
    from services s
    left join lateral (
      select true as found from rule_states x where x.organization_id = s.organization_id and x.service_id = s.id limit 1) r on true
    where s.deleted_at is not null and (s.deleted_at >= ${since}::timestamptz or r.found)`;
}
