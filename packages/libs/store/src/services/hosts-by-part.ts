import type { Sql } from '@tidewatch/database/connection';
import { chosenServices, type ServiceFilter, serviceTotal } from './filter.ts';
import { isCurrent, type NamesNow, namesNow, namesOf } from './names/known-names.ts';
import { isSearchedInMemory } from './names/list-by-part.ts';

/** Up to this many services with a part of a name are looked up by their names. */
const MAX_LOOKED_UP = 1_024;
/**
 * Where PostgreSQL searches names: for each other condition, they are searched first if at least one in this many services matches the
 * status and the first tag.
 */
const SHARE_OF_CONDITION = 2;
/** PostgreSQL looks a service up by its name in the time in which it compares so many names. */
const COMPARED_IN_LOOK_UP = 8;

/**
 * Replaces `q` by the names of the services that contain it, if there are at most `MAX_LOOKED_UP` and many services match the other
 * conditions, or all of them would be sorted (`isSorted`). Names in memory are searched if they are known. Otherwise returns the filter as it is.
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
  const known = isSearchedInMemory(q) ? namesOf(sql, organizationId) : null;
  if (known !== null) {
    const [now] = await sql<(NamesNow & { others: number })[]>`
      select now.listed, now.recent, now.new_since, (${others})::int4 as others
      from (${namesNow(sql, organizationId, known)}) now`;
    if (now !== undefined && isCurrent(sql, organizationId, known, now)) {
      const found = known.containing(q);
      const areFew = isSorted || found.length * COMPARED_IN_LOOK_UP <= now.others;
      return areFew && found.length <= MAX_LOOKED_UP ? { ...filter, q: undefined, hosts: found } : filter;
    }
  }
  const [row] = await sql<{ hosts: string[] | null }[]>`
    select case when (${others}) * ${SHARE_OF_CONDITION * conditions}::int8 >= (${all})
      then array(select c.host ${named} limit ${sql.unsafe(String(MAX_LOOKED_UP + 1))}) end as hosts`;
  const hosts = row?.hosts ?? null;
  return hosts === null || hosts.length > MAX_LOOKED_UP ? filter : { ...filter, q: undefined, hosts };
}
