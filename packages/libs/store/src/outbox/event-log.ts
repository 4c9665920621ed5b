import type { Queryable } from '@tidewatch/database/connection';

/** A published event, for readers that follow the log. Times are ms. */
export interface LoggedEvent {
  sequence: number;
  id: string;
  type: string;
  /** When the event was stored. */
  createdAt: number;
  /** The service, severity and host of the event, or null. */
  serviceId: string | null;
  severity: string | null;
  host: string | null;
  /** The whole CloudEvent as JSON on one line. */
  text: string;
}

/** The sequence number of the newest published event of the installation; 0 before the first. */
export async function readLogHead(sql: Queryable): Promise<number> {
  const [row] = await sql<{ head: number }[]>`
    select next_offset::float8 - 1 as head from consumer_offsets
    where consumer = 'outbox-relay' and topic = 'outbox' and partition = 0`;
  return row?.head ?? 0;
}

/**
 * Reads the oldest `limit` events of an organization with sequence numbers after one and up to another, in order. Since
 * numbers are assigned in the order of commits, no event can appear later below a head that was read before.
 */
export async function readLog(
  sql: Queryable,
  organizationId: string,
  range: { after: number; upTo: number; limit: number },
): Promise<LoggedEvent[]> {
  return sql<LoggedEvent[]>`
    select o.sequence::float8 as sequence, o.event ->> 'id' as id, o.event ->> 'type' as type, o.created_at as "createdAt",
      coalesce(o.event #>> '{data,alert,service_id}', o.event #>> '{data,service,id}',
        o.event #>> '{data,investigation,service_id}') as "serviceId",
      coalesce(o.event #>> '{data,alert,severity}', o.event #>> '{data,rule,severity}',
        o.event #>> '{data,investigation,severity}') as severity,
      coalesce(o.event #>> '{data,alert,host}', o.event #>> '{data,service,host}',
        o.event #>> '{data,investigation,host}') as host,
      o.event::text as text
    from outbox o
    where o.organization_id = ${organizationId} and o.sequence > ${range.after} and o.sequence <= ${range.upTo}
    order by o.sequence limit ${range.limit}`;
}

/** The id of an organization's newest event up to a sequence number; null if there is none. */
export async function readNewestId(
  sql: Queryable,
  organizationId: string,
  upTo: number,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select event ->> 'id' as id from outbox where organization_id = ${organizationId} and sequence <= ${upTo}
    order by sequence desc limit 1`;
  return row?.id ?? null;
}

/** Finds an event in the log by its id; null if it is unknown. `late`: the next event was published before `since` (ms). */
export async function findInLog(
  sql: Queryable,
  organizationId: string,
  id: string,
  since: number,
): Promise<{ sequence: number; late: boolean } | null> {
  const [row] = await sql<{ sequence: number; late: boolean }[]>`
    select o.sequence::float8 as sequence, coalesce((
      select n.published_at < ${since} from outbox n
      where n.organization_id = o.organization_id and n.sequence > o.sequence order by n.sequence limit 1), false) as late
    from outbox o where o.organization_id = ${organizationId} and o.event ->> 'id' = ${id} and o.sequence is not null`;
  return row ?? null;
}
