import type { Queryable } from '@tidewatch/database/connection';
import { PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import type { Fragment } from '../lists/page-rows.ts';
import type { PreviewRequest } from './preview-context.ts';
import { SLOTS } from './subjects.ts';

/** The payloads with containers that lacked one container. */
export interface MissedPayloads {
  /** Their number; those after the one that makes the container gone may be left out. */
  count: number;
  /** The time of the payload with which the container is gone, ms, or its minute where minutes are read; null if it is not gone. */
  goneAt: number | null;
}

interface Wanted {
  organizationId: string;
  serviceId: string;
  /** The name of the container. */
  name: string;
  tier: PreviewRequest['tier'];
  /** Payloads after this time are read, ms; where minutes are read, those of later minutes. */
  after: number;
  /** Payloads before this time are read, ms. */
  to: number;
}

/**
 * Reads which payloads of a service had containers, but not the one of this name. A payload had containers if there are numbers of some
 * container, or if its list of containers is still kept.
 */
export async function readMissedPayloads(sql: Queryable, wanted: Wanted): Promise<MissedPayloads> {
  const { organizationId, serviceId, name } = wanted;
  const rows = await sql<{ at: number; payloads: number }[]>`
    select x.at, max(x.payloads)::int as payloads from (
      select n.at, n.payloads from blocks b cross join lateral (
        ${missedSamples(sql, wanted)} ${wanted.tier === 'raw' ? sql`` : sql`union all (${missedMinutes(sql, wanted)})`}
      ) n
      where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'container'
        and b.subject_name <> ${name}
      union all ${missedLists(sql, wanted)}
    ) x group by 1 order by 1`;
  let count = 0;
  for (const { at, payloads } of rows) {
    count += payloads;
    if (count >= PAYLOADS_UNTIL_GONE) return { count, goneAt: at };
  }
  return { count, goneAt: null };
}

/** The first samples of block `b` without the container. */
function missedSamples(sql: Queryable, wanted: Wanted) {
  const at = timeOf(sql, wanted);
  return sql`
    select t.at, count(*) as payloads from (
      select ${at} as at from samples r
      where r.block_id = b.id and ${within(sql, sql`r."time"`, wanted)} and not (${isThere(sql, at, wanted)})
      order by r."time" limit ${PAYLOADS_UNTIL_GONE}) t
    group by 1`;
}

/** The first minutes of block `b` without the container. */
function missedMinutes(sql: Queryable, wanted: Wanted) {
  const counts = Array.from({ length: SLOTS }, (_, slot) => `r.cnt${slot}`).join(', ');
  return sql`
    select r.bucket, greatest(${sql.unsafe(counts)}) from rollup_1m r
    where r.block_id = b.id and ${within(sql, sql`r.bucket`, wanted)} and not (${isThere(sql, sql`r.bucket`, wanted)})
    order by r.bucket limit ${PAYLOADS_UNTIL_GONE}`;
}

/** The first lists of containers without the container. */
function missedLists(sql: Queryable, wanted: Wanted) {
  const at = timeOf(sql, wanted);
  return sql`
    select t.at, count(*) from (
      select ${at} as at from organization_snapshots r
      where r.organization_id = ${wanted.organizationId} and r.service_id = ${wanted.serviceId} and r.containers is not null
        and ${within(sql, sql`r."time"`, wanted)} and not (${isThere(sql, at, wanted)})
      order by r."time" limit ${PAYLOADS_UNTIL_GONE}) t
    group by 1`;
}

/** The time of row `r`, or its minute. */
function timeOf(sql: Queryable, { tier }: Wanted) {
  return tier === 'raw'
    ? sql`r."time"`
    : sql`date_bin(interval '1 minute', r."time", timestamptz '1970-01-01 00:00:00+00')`;
}

/** How long a payload or minute lasts; times of samples are whole milliseconds. */
function widthOf(sql: Queryable, { tier }: Wanted) {
  return tier === 'raw' ? sql`interval '1 millisecond'` : sql`interval '1 minute'`;
}

function within(sql: Queryable, time: Fragment, wanted: Wanted) {
  return sql`${time} >= ${wanted.after}::timestamptz + ${widthOf(sql, wanted)} and ${time} < ${wanted.to}::timestamptz`;
}

/** Whether the payload or minute `at` has the container: its numbers, or its name in the list. */
function isThere(sql: Queryable, at: Fragment, wanted: Wanted) {
  const { organizationId, serviceId, name, tier } = wanted;
  const own = sql`select o.id from blocks o where o.organization_id = ${organizationId} and o.service_id = ${serviceId}
    and o.subject_kind = 'container' and o.subject_name = ${name}`;
  const inIt = sql`q."time" >= ${at} and q."time" < ${at} + ${widthOf(sql, wanted)}`;
  return sql`
    exists (select from samples q where q.block_id in (${own}) and ${inIt})
    ${tier === 'raw' ? sql`` : sql`or exists (select from rollup_1m q where q.block_id in (${own}) and q.bucket = ${at})`}
    or exists (select from organization_snapshots q where q.organization_id = ${organizationId} and q.service_id = ${serviceId}
      and ${inIt} and q.containers @> jsonb_build_array(jsonb_build_object('name', ${name}::text)))`;
}
