import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';

/** The time of the newest stored sample of a host or its containers, ms; null if there is none since `since`. */
export async function readStoredUntil(
  sql: Sql,
  organizationId: string,
  serviceId: string,
  since: number,
  now: number,
): Promise<number | null> {
  const [row] = await sql<{ newest: number | null }[]>`
    select max(newest."time") as newest from blocks b
    cross join lateral (
      select r."time" from samples r
      where r.block_id = b.id and r."time" >= ${toIso(since)}::timestamptz
        and r."time" <= ${toIso(now + MAX_SKEW_MS)}::timestamptz
      order by r."time" desc limit 1
    ) newest
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId}`;
  return row?.newest ?? null;
}
