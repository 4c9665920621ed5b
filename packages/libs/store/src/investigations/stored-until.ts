import type { Sql } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { storedSeries } from '../series/stored-series.ts';

/** The time of the newest stored sample of a host, its containers or parts, ms; null if there is none since `since`. */
export async function readStoredUntil(
  sql: Sql,
  organizationId: string,
  serviceId: string,
  since: number,
  now: number,
): Promise<number | null> {
  const blocks = await sql<{ id: number }[]>`
    select id from blocks where organization_id = ${organizationId} and service_id = ${serviceId}`;
  const spans = blocks.map(({ id }) => ({ blockId: id, from: since, to: now + MAX_SKEW_MS + 1 }));
  const times = [...(await storedSeries.newestTimes(sql, spans)).values()];
  return times.length === 0 ? null : times.reduce((max, time) => Math.max(max, time));
}
