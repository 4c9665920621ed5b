import type { Queryable } from '@tidewatch/database/connection';
import type { PreviewRequest } from './preview-context.ts';

/**
 * The time of the first payload of a service in `[from, to)` (ms) that had numbers of parts, or its minute where minutes are read; null if
 * there is none.
 */
export async function firstPartsWithin(
  sql: Queryable,
  { organizationId, tier }: Pick<PreviewRequest, 'organizationId' | 'tier'>,
  serviceId: string,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  if (from >= to) return null;
  const minutes =
    tier === 'raw'
      ? sql``
      : sql`union all (
          select r.bucket from rollup_1m r
          where r.block_id = b.id and r.bucket >= ${from} and r.bucket < ${to} order by r.bucket limit 1)`;
  const time =
    tier === 'raw'
      ? sql`r."time"`
      : sql`date_bin(interval '1 minute', r."time", timestamptz '1970-01-01 00:00:00+00')`;
  const [row] = await sql<{ at: number | null }[]>`
    select min(n.at) as at
    from blocks b
    cross join lateral (
      (select ${time} as at from samples r
        where r.block_id = b.id and r."time" >= ${from} and r."time" < ${to} order by r."time" limit 1)
      ${minutes}
    ) n
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'part'`;
  return row?.at ?? null;
}
