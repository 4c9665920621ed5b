import type { Queryable, Transaction } from '@tidewatch/database/connection';

export interface ServiceRow {
  host: string;
  /** The id of the host's current service; null if every service of this host is deleted. */
  serviceId: string | null;
  tags: Record<string, string>;
  /** The sample time of the tags, ms, by the current clock of the host. */
  tagsAt: number | null;
  /** Whether the clock of the host was set back, so that the stored time is later than the time of new payloads. */
  isClockSetBack: boolean;
  lastDeletedAt: number | null;
}

// OFFSET 0 keeps the planner from joining the subqueries. Without statistics, as on first contact with many hosts, it would read
// all live values of the organization for each of its services.
const FIND_SERVICES = `
  select h.host, s.id as "serviceId", coalesce(s.tags, '{}') as tags, least(s.tags_at, c.now) as "tagsAt",
    coalesce(s.tags_at > c.now, false) as "isClockSetBack", d.at as "lastDeletedAt"
  from unnest($2::text[]) as h (host)
  left join lateral (
    select id, tags, tags_at from services
    where organization_id = $1 and host = h.host and deleted_at is null offset 0
  ) s on true
  left join lateral (
    -- The clock of a host that is known to be behind by more than two minutes.
    select l.last_seen - l.clock_offset_seconds * interval '1 second' as now from service_live l
    where s.tags_at is not null and l.organization_id = $1 and l.service_id = s.id and l.clock_offset_seconds > 120
    offset 0
  ) c on true
  left join lateral (
    select max(deleted_at) as at from services
    where organization_id = $1 and host = h.host and deleted_at is not null
  ) d on true
  where s.id is not null or d.at is not null`;

/**
 * The service of each host and when an earlier one was deleted; unknown hosts are left out. Planned at each call: a plan
 * that is cached while there are few services reads all of them.
 */
export async function findServices(tx: Queryable, organizationId: string, hosts: readonly string[]) {
  return await tx.unsafe<ServiceRow[]>(FIND_SERVICES, [organizationId, hosts as string[]]);
}

export interface NewService {
  id: string;
  host: string;
  /** ms */
  firstSeen: number;
}

/** Creates services for hosts that have none; if another process created one meanwhile, returns that row. */
export async function createServices(
  tx: Transaction,
  organizationId: string,
  services: readonly NewService[],
): Promise<ServiceRow[]> {
  if (services.length === 0) return [];
  const sorted = [...services].sort((a, b) => (a.host < b.host ? -1 : 1));
  const hosts = sorted.map(({ host }) => host);
  const created = await tx<ServiceRow[]>`
    insert into services (organization_id, id, host, first_seen, status_since)
    select ${organizationId}, n.id, n.host, to_timestamp(n.seconds), to_timestamp(n.seconds)
    from unnest(${sorted.map(({ id }) => id)}::text[], ${hosts}::text[],
      ${sorted.map(({ firstSeen }) => firstSeen / 1000)}::float8[]) as n (id, host, seconds)
    on conflict (organization_id, host) where deleted_at is null do nothing
    returning host, id as "serviceId", tags, tags_at as "tagsAt", false as "isClockSetBack", null as "lastDeletedAt"`;
  if (created.length === services.length) return created;
  return await tx<ServiceRow[]>`
    select host, id as "serviceId", tags, tags_at as "tagsAt", false as "isClockSetBack", null as "lastDeletedAt" from services
    where organization_id = ${organizationId} and host = any(${hosts}::text[]) and deleted_at is null`;
}

/** Ids of the services deleted since a time. */
export async function findDeletedSince(tx: Queryable, since: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`select id from services where deleted_at >= ${since}`;
  return rows.map((row) => row.id);
}

export interface TagRow {
  entry: { organizationId: string; serviceId: string; isClockSetBack: boolean };
  tags: Record<string, string>;
  tagsAt: number;
}

/** Replaces the tags of services; `tagsAt` (ms) is the sample time of the payload that carried them. */
export async function writeTags(tx: Transaction, changes: readonly TagRow[]): Promise<void> {
  const rows = changes.map(({ entry, tags, tagsAt }) => ({
    org: entry.organizationId,
    id: entry.serviceId,
    tags: { ...tags },
    at: tagsAt,
    back: entry.isClockSetBack,
  }));
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx`
    update services s set tags = r.tags, tags_at = to_timestamp(r.at / 1000)
    from (select * from json_to_recordset(${tx.json(rows)}::json) as r (org text, id text, tags jsonb, at float8, back boolean)
      order by org, id) r
    where s.organization_id = r.org and s.id = r.id and s.deleted_at is null
      and (r.back or s.tags_at is null or s.tags_at <= to_timestamp(r.at / 1000))`;
}
