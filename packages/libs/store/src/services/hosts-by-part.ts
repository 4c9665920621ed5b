import type { Sql } from '@tidewatch/database/connection';
import { chosenServices, type ServiceFilter, serviceTotal } from './filter.ts';

/** Up to this many services with a part of a name are looked up by their names. */
const MAX_LOOKED_UP = 1_024;
/** For each other condition, names are searched first if at least one in this many services matches the status and the first tag. */
const SHARE_OF_CONDITION = 2;

/**
 * Replaces `q` by the names of the services that contain it, if there are at most `MAX_LOOKED_UP` and many services match the other
 * conditions, or all of them would be sorted (`isSorted`). Otherwise returns the filter as it is.
 */
export async function hostsByPart(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  isSorted: boolean,
): Promise<ServiceFilter> {
  const { status, q, tag } = filter;
  const conditions = Number(isSorted) + Number(status !== undefined) + tag.length;
  if (q === undefined || status === 'archived' || conditions === 0) return filter;
  const named = chosenServices(sql, organizationId, { q, tag: [] });
  const all = serviceTotal(sql, organizationId, { tag: [] });
  const others = serviceTotal(sql, organizationId, { status, tag: tag.slice(0, 1) });
  const [row] = await sql<{ hosts: string[] | null }[]>`
    select case when (${others}) * ${SHARE_OF_CONDITION * conditions}::int8 >= (${all})
      then array(select c.host ${named} limit ${sql.unsafe(String(MAX_LOOKED_UP + 1))}) end as hosts`;
  const hosts = row?.hosts ?? null;
  return hosts === null || hosts.length > MAX_LOOKED_UP ? filter : { ...filter, q: undefined, hosts };
}
