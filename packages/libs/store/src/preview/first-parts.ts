import type { Queryable } from '@tidewatch/database/connection';
import { storedSeries } from '../series/stored-series.ts';
import type { PreviewRequest } from './preview-context.ts';

/**
 * The time of the first payload of a service in `[from, to)` (ms) that had numbers of parts, or its minute where minutes are read; null if
 * there is none.
 */
export async function firstPartsWithin(
  sql: Queryable,
  { organizationId, tier }: Pick<PreviewRequest, 'organizationId' | 'tier'>,
  serviceId: string,
  range: { from: number; to: number },
): Promise<number | null> {
  if (range.from >= range.to) return null;
  const blocks = await sql<{ id: number }[]>`
    select id from blocks
    where organization_id = ${organizationId} and service_id = ${serviceId} and subject_kind = 'part'`;
  return await storedSeries.firstTime(
    sql,
    blocks.map(({ id }) => id),
    range,
    tier,
  );
}
